package mqtt

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	reflector "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

var update = flag.Bool("update", false, "write asyncapi.json anew from the types")

// described is the AsyncAPI 3.0 document of what a table says and hears over MQTT, made of the payloads' types and
// their comments.
func described(t *testing.T) []byte {
	t.Helper()
	r := &reflector.Reflector{Anonymous: true, AllowAdditionalProperties: true, ExpandedStruct: true, DoNotReference: true, Mapper: mapped}
	for _, dir := range []string{"../../device/mqtt", "../../device/analysis", "../../rules/referee"} {
		if err := r.AddGoComments("davar", dir, reflector.WithFullComment()); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range maps.Clone(r.CommentMap) { // packages are named by where they lie from here
		r.CommentMap[strings.Replace(name, "../", "davar/", 1)] = text
	}
	schemas := map[string]any{}
	for name, payload := range map[string]any{
		"state": &StatePayload{}, "event": &EventPayload{}, "command": &CommandPayload{}, "response": &ResponsePayload{},
		"matches": &MatchesPayload{}, "picture": &PicturePayload{}, "pictureRequest": &PictureRequest{}, "calibrateRequest": &CalibrateRequest{},
		"calibrateResponse": &CalibrateResponse{}, "formRequest": &FormRequest{}, "formResponse": &FormResponse{},
		"setupRequest": &SetupRequest{}, "setupResponse": &SetupResponse{},
	} {
		s := r.Reflect(payload)
		s.Version = ""
		schemas[name] = s
	}
	text, err := json.MarshalIndent(document(schemas), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// mapped gives the types that write themselves as text the form they have on the wire.
func mapped(t reflect.Type) *reflector.Schema {
	if t == reflect.TypeFor[rules.Side]() {
		return &reflector.Schema{Type: "string", Enum: []any{"light", "dark"}}
	}
	return nil
}

type object = map[string]any

func document(schemas object) object {
	ref := func(path string) object { return object{"$ref": "#/" + path} }
	parameters := object{
		"club":  object{"description": "name of the club, one level without / + #"},
		"table": object{"description": "name of the table, one level without / + #"},
	}
	channels, operations, messages := object{}, object{}, object{
		"available": object{"contentType": "text/plain", "payload": object{"type": "string", "enum": []string{Online, Stopped, Offline}}},
	}
	for name := range schemas {
		messages[name] = object{"contentType": "application/json", "payload": ref("components/schemas/" + name)}
	}
	add := func(name, topic, message, action string, retained, secret bool, says string) {
		channel := object{
			"address": Root + "/{club}/{table}/" + topic, "description": says, "parameters": parameters,
			"messages": object{message: ref("components/messages/" + message)},
		}
		if strings.Contains(topic, "{reader}") {
			channel["parameters"] = object{
				"club": parameters["club"], "table": parameters["table"],
				"reader": object{"description": "what the request says; 8 to 32 letters and digits"},
			}
		}
		if strings.Contains(topic, "{decision}") {
			channel["parameters"] = object{
				"club": parameters["club"], "table": parameters["table"],
				"decision": object{"description": "what is decided", "enum": referee.Decisions()},
			}
		}
		channels[name] = channel
		level := 1
		if message == "picture" {
			level = 0 // one that comes too late is of no use
		}
		operation := object{"action": action, "channel": ref("channels/" + name), "bindings": object{"mqtt": object{"qos": level, "retain": retained}}}
		if secret {
			operation["security"] = []any{ref("components/securitySchemes/account")}
		}
		operations[name] = operation
	}
	add("available", AvailableLeaf, "available", "send", true, false, "whether the table is there; offline is its last will")
	add("state", StateLeaf, "state", "send", true, false, "all there is to draw the table from, behind by the spectators' delay")
	add("event", EventLeaf, "event", "send", false, false, "what happened, as far as it is public, behind by the spectators' delay")
	add("ruling", RulingLeaf, "event", "send", false, false, "rulings among the events, as far as they are public")
	add("matches", MatchesLeaf, "matches", "send", true, false, "the matches that are over, as far as spectators may know of them")
	add("privateState", PrivateLevel+"/"+StateLeaf, "state", "send", true, true, "the state at once, for the director")
	add("privateEvent", PrivateLevel+"/"+EventLeaf, "event", "send", false, true, "every event at once, for the director")
	add("command", CommandLevel+"/{decision}", "command", "receive", false, true, "a decision of the director; never retained")
	add("response", ResponseLevel+"/{decision}", "response", "send", false, true, "the answer to a command")
	for _, ask := range []struct{ name, says string }{
		{AskPicture, "what the camera sees or the evidence of a ruling is asked for"},
		{AskCalibrate, "the board is to be read at some corners, or they are to be kept"},
		{AskForm, "what can be set for a match is asked for"},
		{AskSetup, "another match is to begin"},
	} {
		answer := ask.name + "Response"
		if ask.name == AskPicture {
			answer = "response"
		}
		add(ask.name+"Request", CommandLevel+"/"+ask.name, ask.name+"Request", "receive", false, true, ask.says+"; where private/state names it among asks")
		add(ask.name+"Response", ResponseLevel+"/"+ask.name, answer, "send", false, true, "the answer to "+ask.name)
	}
	add("picture", PrivateLevel+"/"+PictureLeaf+"/{reader}", "picture", "send", false, true,
		"a picture for who asked for it by picture or calibrate, beside the answer; sent while somebody asks, two or three a second at most")
	return object{
		"asyncapi": "3.0.0",
		"info": object{"title": "Davar, a backgammon table", "version": "1",
			"description": "What a table publishes over MQTT and which commands it takes. Fields may be added; the meaning of a name never changes."},
		"defaultContentType": "application/json",
		"channels":           channels, "operations": operations,
		"components": object{"schemas": schemas, "messages": messages,
			"securitySchemes": object{"account": object{"type": "userPassword"}}},
	}
}

func TestTheDescriptionOfTheTopicsIsTrueToTheTypes(t *testing.T) {
	want := described(t)
	if *update {
		if err := os.WriteFile("asyncapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("asyncapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("asyncapi.json is not what the types say; run go test ./device/mqtt -run Description -update and look at the difference")
	}
}

// schema compiles one schema of the document, which lets no unknown field pass, so that a field that is sent but not
// described is found.
func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("asyncapi.json")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`"properties": {`), []byte(`"additionalProperties": false, "properties": {`))
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:asyncapi.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:asyncapi.json#/components/schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func TestWhatAGameSaysFitsItsDescription(t *testing.T) {
	settings := referee.DefaultSettings()
	settings.Match = "m"
	played, err := refereetest.PlayGame(settings, refereetest.UsualNoise(), refereetest.Habits{Careless: 0.3, Doubles: 0.3}, 3)
	if err != nil {
		t.Fatal(err)
	}
	event, state := schema(t, "event"), schema(t, "state")
	fits := func(s *jsonschema.Schema, payload any) {
		t.Helper()
		text, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(value); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	}
	for _, e := range played.Events {
		fits(event, EventPayload{V: Version, Event: e})
	}
	game, err := referee.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range played.Inputs {
		game.Handle(in)
		fits(state, statePayload(snapshot{game.State(), time.Now(), 1}, 0))
	}
	judged := statePayload(snapshot{game.State(), time.Now(), 1}, 0)
	var turns analysis.Judgements
	turns.Add("m", analysis.Judged{Seq: 3, Game: 1, After: &analysis.Chances{Win: 0.5}, Play: &analysis.Play{Error: 0.1}})
	judged.Judged = turns.Of("m", 1, 9)
	fits(state, judged)
	if len(played.Events) < 50 {
		t.Errorf("a game of %d events proves little", len(played.Events))
	}
}
