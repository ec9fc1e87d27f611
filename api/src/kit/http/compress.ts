import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

const brotliLater = promisify(brotliCompress)
const gzipLater = promisify(gzip)

/** Below this size compression saves less than it costs. */
const from = 512
/** Up to this size compression takes less time (0.06 ms for 7 KB) than passing the text to another thread. */
const atOnce = 65_536

const brotliOptions = (size: number) => ({
  params: {
    // A list of 15 students has 1,387 bytes then, 24 more than with quality 4, and takes a fifth less time.
    [constants.BROTLI_PARAM_QUALITY]: 3,
    // A larger window than 64 KiB costs more to set up than it saves.
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
})
const gzipOptions = { level: constants.Z_BEST_SPEED }

/**
 * Compresses a JSON answer with the best encoding that the caller accepts. Returns null if none is accepted or the text
 * is small.
 */
export async function compress(
  text: string,
  accepted: string | string[] | undefined,
): Promise<{ encoding: 'br' | 'gzip'; body: Buffer } | null> {
  const encoding = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b`).test(String(accepted ?? '')),
  )
  if (!encoding || text.length < from) return null
  const small = text.length <= atOnce
  if (encoding === 'gzip') {
    return { encoding, body: small ? gzipSync(text, gzipOptions) : await gzipLater(text, gzipOptions) }
  }
  const options = brotliOptions(text.length)
  return { encoding, body: small ? brotliCompressSync(text, options) : await brotliLater(text, options) }
}
