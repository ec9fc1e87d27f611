/** A file that is read in pieces: a handle on the server, a chosen file in the browser. */
export type Source = {
  size: number
  /** Exactly `length` bytes from `position`; refuses as damaged when there are fewer. */
  read(position: number, length: number): Promise<Uint8Array>
}

/** Little-endian numbers of a piece, as both containers write them. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
