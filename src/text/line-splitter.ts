// Splits chunks of text into lines. Only new text is searched, because lines may be very long. readline takes three
// times the CPU, which is a fifth of the total for enqueueing thousands of lines.

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

export class LineSplitter {
  /** Beginning of an unfinished line. */
  private open = '';
  /** A carriage return at the end of a chunk; the newline may follow in the next one. */
  private heldBack = '';

  add(piece: string): string[] {
    const text = this.heldBack + piece;
    this.heldBack = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - this.heldBack.length).split(LINE_END);
    lines[0] = this.open + lines[0];
    this.open = lines.pop() ?? '';
    return lines;
  }

  end(piece: string): string[] {
    const lines = this.add(piece);
    const isOver = this.open === '' && this.heldBack === '';
    return isOver ? lines : [...lines, this.open];
  }
}
