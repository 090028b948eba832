package web

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// ask sends a request, with headers as pairs of name and value, and returns answer and body.
func ask(t *testing.T, client *http.Client, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// get asks as somebody whom the server does not know.
func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	return ask(t, http.DefaultClient, http.MethodGet, url, "", headers...)
}

// fetch returns status and body of what a client, who may have signed in, is served.
func fetch(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	answer, text := ask(t, client, http.MethodGet, url, "")
	return answer.StatusCode, text
}

// post sends JSON, unless the headers say otherwise.
func post(t *testing.T, client *http.Client, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	return ask(t, client, http.MethodPost, url, body, append([]string{"Content-Type", "application/json"}, headers...)...)
}

// turnedAway asks for what client, who, has no right to: it must be led to the door or refused. It returns what he is told.
func turnedAway(t *testing.T, client *http.Client, who, method, url, kind, body string) string {
	t.Helper()
	answer, text := ask(t, client, method, url, body, "Content-Type", kind)
	led := answer.StatusCode == http.StatusSeeOther && strings.HasPrefix(answer.Header.Get("Location"), "/signin?next=")
	if !led && answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
		t.Errorf("%s gets %s %s: %s", who, method, url, answer.Status)
	}
	return text
}
