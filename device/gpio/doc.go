// Package gpio is the table's buttons, lamps and buzzer on the lines of a Raspberry Pi, or of any Linux machine
// with a GPIO character device, and a simulated set of them that code can press.
//
// Both are a Buttons (what was pressed, and when) and a Panel (which lamps are lit). Both go through the same
// Debouncer and pass the same conformance test; testvm.sh runs it on the real driver in a small virtual machine.
//
// The chip, its line names and the lamps are periph's gpioioctl. The buttons' lines are one set too, read by one
// goroutine in the order of their edges, but taken from the kernel directly, because periph drops the kernel's
// time stamps: so a press keeps its own time however late a loaded machine gets round to reading it.
//
// Of periph only gpioioctl is imported, never all of periph.io/x/host/v3: the drivers for the Pi's own registers
// start in goroutines of their own, and one of them panics on a Pi 5 whose kernel lacks the RP1 driver, which
// nobody could recover.
package gpio
