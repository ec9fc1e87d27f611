import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isCompressed } from '@portal/sdk/weights'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The files of a build by path, each with its compressed forms. */
export type StoredFiles = Map<string, { content: Buffer; packed: { br: Buffer; gz: Buffer } | null }>

/** The compressed forms of a file; null if compression does not make it smaller. */
export async function packedOf(path: string, content: Buffer): Promise<{ br: Buffer; gz: Buffer } | null> {
  if (!isCompressed(path) || content.length < 400) return null
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
  return { br, gz }
}
