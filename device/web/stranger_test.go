package web

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// turnedAway asks for what client, who, has no right to: it must be led to the door or refused. It returns what he is told.
func turnedAway(t *testing.T, client *http.Client, who, method, url, kind, body string) string {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	led := answer.StatusCode == http.StatusSeeOther && strings.HasPrefix(answer.Header.Get("Location"), "/signin?next=")
	if !led && answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
		t.Errorf("%s gets %s %s: %s", who, method, url, answer.Status)
	}
	return string(text)
}
