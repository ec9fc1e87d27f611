import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { formLimits } from '@portal/contracts/limits'
import type { FastifyRequest } from 'fastify'
import { say } from '../http/messages.ts'
import { Refusal, tooLarge } from '../http/refusals.ts'
import type { StoredUpload } from './files.ts'
import type { Storage } from './storage.ts'
import { checkForViruses, type Scanner } from './virus-scan.ts'

const { octets, files, fields } = formLimits

/**
 * Reads a multipart body. Texts become strings, and repeated or `name[]` fields become lists. Files are streamed to the
 * disk and hashed, and `scanner` looks at them. `drop` deletes the files that were not kept.
 */
export async function readMultipart(request: FastifyRequest, storage: Storage, scanner: Scanner | undefined) {
  const body: Record<string, unknown> = {}
  const paths: string[] = []
  const drop = async () => {
    await Promise.all(paths.map((path) => storage.drop(path)))
  }
  let received = 0
  try {
    const limits = { fileSize: octets, files, fields, fieldSize: 1024 * 1024, parts: files + fields }
    for await (const part of request.parts({ limits })) {
      // Its type says that every part has a name.
      if (part.fieldname === undefined) throw new Refusal(422, say.partName)
      if (part.type === 'field') {
        // Browsers send each line break of a form as two characters. A text would be longer here than in its field.
        const text = textOf(part.value).replaceAll('\r\n', '\n')
        received += text.length
        put(body, part.fieldname, text)
      } else {
        const path = await storage.temp()
        paths.push(path)
        const stored = await store(part.file, path)
        received += stored.size
        if (part.file.truncated) throw tooLarge(octets)
        // A form without a chosen file sends a nameless empty part.
        if (!part.filename && stored.size === 0) continue
        const upload: StoredUpload = { name: baseName(part.filename), type: part.mimetype, path, ...stored }
        if (scanner) await checkForViruses(scanner, path, part.fieldname)
        put(body, part.fieldname, upload)
      }
      if (received > octets) throw tooLarge(octets)
    }
    return { body, drop }
  } catch (error) {
    await drop()
    // The rest of the body is read and discarded, because a browser reads the answer only after it has sent the body.
    request.raw.unpipe()
    request.raw.resume()
    throw readable(error)
  }
}

/** The text of a field. One whose type is JSON was parsed. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function store(file: NodeJS.ReadableStream, path: string) {
  const hash = createHash('sha256')
  let size = 0
  await pipeline(
    file,
    async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk as Buffer)
        size += (chunk as Buffer).length
        yield chunk
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  )
  return { size, sha256: hash.digest() }
}

function put(body: Record<string, unknown>, field: string, value: unknown) {
  const list = field.endsWith('[]')
  const name = list ? field.slice(0, -2) : field
  if (name === '__proto__' || name === 'constructor') return
  const before = body[name]
  if (list || before !== undefined)
    body[name] = [...(Array.isArray(before) ? before : before === undefined ? [] : [before]), value]
  else body[name] = value
}

function baseName(name: string | undefined) {
  const last = (name ?? '').replace(/^.*[\\/]/, '').replace(/\p{Cc}/gu, '')
  return last.slice(-200) || 'file'
}

function readable(error: unknown) {
  const code = (error as { code?: string }).code ?? ''
  if (['FST_REQ_FILE_TOO_LARGE', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT'].includes(code))
    return tooLarge(octets)
  if (error instanceof Refusal) return error
  if (code === 'FST_PROTO_VIOLATION') return new Refusal(422, say.partName)
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return new Refusal(422, say.partJson)
  // The parser gives its error no code.
  if (/needle cannot have a length bigger/.test(String(error))) return new Refusal(422, say.boundary)
  const cut =
    code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'FST_MP_PREMATURE_CLOSE' || code === 'ECONNRESET'
  if (
    cut ||
    /Unexpected end of multipart|Part terminated early|Malformed part|Boundary not found/i.test(String(error))
  ) {
    return new Refusal(422, say.cutOff)
  }
  return error
}
