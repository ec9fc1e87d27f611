/** Blank, null and absent are one; of a list the order does not count. */
const plain = (value: unknown) =>
  JSON.stringify(Array.isArray(value) ? value.map(String).sort() : (value ?? ''))

/** Whether two values of a form's field are the same for a person. */
export const same = (one: unknown, other: unknown) => plain(one) === plain(other)
