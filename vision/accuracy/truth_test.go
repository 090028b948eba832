package accuracy

import (
	"strings"
	"testing"
)

const goodLine = `{"image":"a.jpg","size":[640,480],"corners":[[0,0],[9,0],[9,9],[0,9]],"top":[5,0,0,0,-3,0,-5,0,0,0,0,2],` +
	`"bottom":[-5,0,0,0,3,0,5,0,0,0,0,-2],"bar":{"light":0,"dark":null},"dice":[{"value":null,"center":[4,4],"on":"left","cocked":false}],` +
	`"mixed":[{"side":"top","col":3,"light":1,"dark":1}],"more":1}`

func TestATruthFileIsReadLineByLine(t *testing.T) {
	truths, err := ReadTruth(strings.NewReader(goodLine + "\n\n" + `{"image":"d.jpg","corners":null,"dice":[]}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(truths) != 2 || truths[0].Top[0] != 5 || truths[0].Bar.Dark != nil || truths[1].Corners != nil || !truths[0].mixed("top", 3) {
		t.Errorf("read %+v", truths)
	}
}

func TestTruthsThatCannotBeAreRefusedWithTheirLine(t *testing.T) {
	for _, line := range []string{
		`{`, `{"image":""}`, `{"image":"a","corners":[[1,2]]}`, `{"image":"a","corners":[[0,0],[9,0],[9,9],[0,9]],"top":[1]}`,
		strings.Replace(goodLine, "[5,0,0", "[16,0,0", 1), strings.Replace(goodLine, `"value":null`, `"value":7`, 1),
	} {
		_, err := ReadTruth(strings.NewReader(goodLine + "\n" + line))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func FuzzReadTruth(f *testing.F) {
	f.Add(goodLine)
	f.Add(`{"image":"d.jpg","corners":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		truths, err := ReadTruth(strings.NewReader(text))
		if err != nil {
			return
		}
		var s Score
		for i := range truths {
			s.Add(&truths[i], nil, nil, 0)
		}
		s.Report()
	})
}
