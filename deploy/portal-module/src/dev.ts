export async function serveModule(_: {
  dir: string
  port: number
  portal?: string
  say: (line: string) => void
}) {}
