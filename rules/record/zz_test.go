package record
import ("testing";"os";"path/filepath")
func TestZZ(t *testing.T){
 os.MkdirAll("/tmp/mats", 0o755)
 for _, e := range sharedIndex(t) {
  data,_ := os.ReadFile(filepath.Join(sharedMatches, e.File))
  rec,err := ReadMat(data); if err!=nil {t.Log(err);continue}
  text, losses := rec.Mat()
  for _, n := range losses { t.Log(e.File, n) }
  os.WriteFile("/tmp/mats/"+e.File, text, 0o644)
  again, err := ReadMat(text); if err != nil { t.Error(e.File, err); continue }
  for _, n := range again.Notes { t.Log("AGAIN", e.File, n) }
  text2, _ := again.Mat()
  if string(text2) != string(text) { t.Error("DIFF", e.File) ; os.WriteFile("/tmp/mats/"+e.File+".2", text2, 0o644)}
 }
}
