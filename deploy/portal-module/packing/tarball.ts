import { gzipSync } from 'node:zlib'

/** A file of a package. */
export type PackedFile = { path: string; content: Buffer; executable?: boolean }

/** The modification time that npm gives every packed file, so that the same content makes the same archive. */
const when = Math.floor(Date.UTC(1985, 9, 26, 8, 15) / 1000)

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`

function header({ path, content, executable }: PackedFile): Buffer {
  const name = `package/${path}`
  if (Buffer.byteLength(name) > 100) throw new Error(`${path} is too long a name for an archive.`)
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(octal(executable ? 0o755 : 0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(content.length, 12), 124)
  block.write(octal(when, 12), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, octet) => total + octet, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** An archive like that of `npm pack`, with the same bytes for the same content on every machine. */
export function tarball(files: PackedFile[]): Buffer {
  const blocks = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((file) => [header(file), file.content, Buffer.alloc((512 - (file.content.length % 512)) % 512)])
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 })
  // Byte 9 of the gzip header names the operating system.
  archive[9] = 255
  return archive
}
