/** What a bundled file can do to be replaced (`import.meta.webpackHot`). */
export type Hot = {
  data: { before?: boolean } | undefined
  accept(): void
  accept(request: string, done: () => void): void
  dispose(keep: (data: { before?: boolean }) => void): void
  check(apply: true): Promise<unknown[] | null>
}
