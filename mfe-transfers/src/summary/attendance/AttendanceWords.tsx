import { Plural, Trans } from '@lingui/react/macro'
import type { ListAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { formatDate, formatDateTime, formatPercent } from '@portal/i18n/format'

const share = (percent: number) => formatPercent(percent / 100, 1)

/** The attendance of a list in sentences. */
export function AttendanceWords({ of }: { of: ListAttendance }) {
  const { school_days, silent_schools, silent_girls } = of
  const others = of.unknown - silent_girls
  const [from, to] = [of.from, of.to].map(formatDate)
  if (school_days === 0 && of.present === null)
    return (
      <>
        <Trans>
          No school of the country reported attendance from {from} to {to}.
        </Trans>{' '}
        <Moment iso={of.counted_at} />
      </>
    )
  const [reported, present] = [share(of.reported ?? 0), share(of.present ?? 0)]
  return (
    <>
      <Plural
        value={school_days}
        one={`From ${from} to ${to}, the girls’ classes were reported on ${reported} of # school day.`}
        other={`From ${from} to ${to}, the girls’ classes were reported on ${reported} of # school days.`}
      />{' '}
      {of.present !== null && <Trans>{present} of the learners there were present.</Trans>}{' '}
      {silent_schools > 0 && (
        <>
          <Plural
            value={silent_schools}
            one="# school reported nothing;"
            other="# schools reported nothing;"
          />{' '}
          <Plural
            value={silent_girls}
            one="# girl of the list is there."
            other="# girls of the list are there."
          />{' '}
        </>
      )}
      {others > 0 && (
        <Plural
          value={others}
          one="The class of # other girl was not reported."
          other="The classes of # other girls were not reported."
        />
      )}{' '}
      <Moment iso={of.counted_at} />
    </>
  )
}

/** When the figures of a large list were counted. Other lists are counted with each call. */
function Moment({ iso }: { iso: string | null }) {
  if (!iso) return null
  const moment = formatDateTime(iso)
  return <Trans>These figures are those of {moment}.</Trans>
}
