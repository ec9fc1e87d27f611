/** A RIB of a bank in Mali with its key: bank 5, branch 5, account 12, key 2. */
export function ribOf(n: number): string {
  const begin = `10116${'01012'}${String(n).padStart(12, '0')}`
  const rest = [...`${begin}00`].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
  return `${begin}${String(97 - rest).padStart(2, '0')}`
}
