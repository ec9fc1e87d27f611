const senegal = ['CI', 'CP', 'CE1', 'CE2', 'CM1', 'CM2', '6E', '5E', '4E', '3E', '2NDE', '1RE', 'TLE']

/** The age that a child usually turns in the year of a class level; undefined for a level that is not of Mali or Senegal. */
export function usualAge(level: string): number | undefined {
  if (/^\d{1,2}$/.test(level)) return Number(level) + 6
  const year = senegal.indexOf(level)
  return year < 0 ? undefined : year + 6
}

/** Years that a child may be younger or older than usual before somebody is asked: many begin late or repeat a year. */
const margin = { younger: 3, older: 9 }

/** Age and usual age where they are so far apart that one of the two is probably mistyped; null where they are not. */
export function unusualAge(
  dateOfBirth: string,
  level: string,
  today: string,
): { age: number; usual: number } | null {
  const usual = usualAge(level)
  if (usual === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth)) return null
  const birthdayAhead = today.slice(5) < dateOfBirth.slice(5)
  const age = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4)) - (birthdayAhead ? 1 : 0)
  return age < usual - margin.younger || age > usual + margin.older ? { age, usual } : null
}
