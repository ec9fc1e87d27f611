import { type Opened, useDialog } from './useDialog.tsx'

/**
 * A dialog that shows a row of a list as the list's latest answer has it. A dialog that was opened while the list was being read
 * again would otherwise keep showing what was stored before. For forms and confirmations use `useDialog`: what a person
 * confirms must not change under her hand.
 */
export function useRowDialog<Row extends { id: number | string }>(
  rows: readonly Row[] | undefined,
): Opened<Row> {
  const opened = useDialog<Row>()
  const { item, open } = opened
  // A row that has left the page stays as it was.
  const latest = item && rows?.find(({ id }) => id === item.id)
  if (latest && latest !== item) open(latest)
  return opened
}
