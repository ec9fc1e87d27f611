/** Up to two initials of a person's name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = words[0]?.[0] ?? ''
  return (first + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase()
}
