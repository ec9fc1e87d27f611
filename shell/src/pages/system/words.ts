import { plural, t } from '@lingui/core/macro'
import type { QueueName } from '@portal/contracts/home/system'

/** A kind of work in the person's language; the name of a queue that only another release has. */
export function queueText(name: string): string {
  const words: Record<QueueName, () => string> = {
    import: () => t`Imports`,
    'import-records': () => t`Imports of records`,
    export: () => t`Exports`,
    'donor-report': () => t`Reports for donors`,
    statement: () => t`Statements of agencies`,
    messages: () => t`Messages of devices`,
    mail: () => t`Letters`,
    'password-reset': () => t`Links for passwords`,
  }
  return words[name as keyof typeof words]?.() ?? name
}

/** Whether something waits longer than a busy minute explains. */
export const isLate = (seconds: number | null): boolean => (seconds ?? 0) > 300

/** An age in whole minutes, hours or days. */
export function ageText(seconds: number): string {
  if (seconds < 60) return t`less than a minute`
  if (seconds < 3600) return plural(Math.floor(seconds / 60), { one: '# minute', other: '# minutes' })
  if (seconds < 86_400) return plural(Math.floor(seconds / 3600), { one: '# hour', other: '# hours' })
  return plural(Math.floor(seconds / 86_400), { one: '# day', other: '# days' })
}
