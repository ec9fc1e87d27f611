export async function newModule(_folder: string | undefined, _vendor: string | undefined): Promise<string> {
  return ''
}
