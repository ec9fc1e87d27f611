/** Limits of a build in bytes. Scripts and style sheets count compressed. */
export const budgets = {
  /** What a page needs at the first visit, with the entry. */
  page: 60 * 1024,
  /** Every single file, also one that is loaded lazily. */
  file: 200 * 1024,
  /** All files together. */
  total: 2 * 1024 * 1024,
  /** All files and the source maps before they are compressed, which the registry does in its memory. */
  unpacked: 32 * 1024 * 1024,
  /** The source maps, which browsers do not get. */
  maps: 8 * 1024 * 1024,
} as const

/** A number of bytes, `12.3 KiB`. */
export const kib = (bytes: number): string => {
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB']
  return `${size.toFixed(1).replace(/\.0$/, '')} ${unit}`
}

/** The kinds of files that the portal stores compressed too, and counts compressed. */
export const isCompressed = (path: string): boolean => /\.(js|css|svg|json|wasm)$/.test(path)
