import type { List } from '@portal/screens/useList'

/** A list whose filters hang on each other: another region drops the CAP, another CAP the school. */
export function cascade<Item, Answer, Filter extends string>(
  list: List<Item, Answer, Filter>,
  chain: readonly NoInfer<Filter>[],
): List<Item, Answer, Filter> {
  const show: typeof list.show = (changes, replace) => {
    const at = chain.findIndex((name) => name in changes)
    const dropped = at < 0 ? [] : chain.slice(at + 1).filter((name) => !(name in changes))
    list.show({ ...changes, ...Object.fromEntries(dropped.map((name) => [name, ''])) }, replace)
  }
  return { ...list, show }
}
