import { Trans } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { storedTheme } from '@portal/ui/theme'
import { useEffect, useRef, useState } from 'react'
import { createPath, useLocation } from 'react-router-dom'
import { useSessionStore } from '../../session/session.ts'
import type { BuildRef } from '../builds.ts'
import { newReference } from '../failures.ts'
import { connect, type FrameFault } from '../isolated/connect.ts'
import type { Entry } from '../registry.ts'
import { reportFault } from '../reports.ts'
import { Whose } from './Whose.tsx'

type Props = { entry: Entry; of: BuildRef; origin: string }

/** An isolated module in its frame, or what happened to it. */
export function ModuleFrame({ entry, of, origin }: Props) {
  const [failed, setFailed] = useState<{ fault: FrameFault; reference: string } | null>(null)
  const { pathname } = useLocation()
  const onFault = (fault: FrameFault) => {
    const reference = newReference()
    reportFault(of, 'crash', reference, `The frame was given up: ${fault}`, pathname)
    setFailed({ fault, reference })
  }
  if (failed) return <Failed {...failed} entry={entry} of={of} onReload={() => setFailed(null)} />
  return <Frame entry={entry} of={of} origin={origin} onFault={onFault} />
}

function Frame({ entry, of, origin, onFault }: Props & { onFault: (fault: FrameFault) => void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const connection = useRef<ReturnType<typeof connect>>(null)
  const place = createPath(useLocation())
  const locale = currentLocale()
  const begin = useRef(place)
  begin.current = place
  const fail = useRef(onFault)
  fail.current = onFault

  useEffect(() => {
    if (!frame.current) return
    const start = () => {
      const { session } = useSessionStore.getState()
      if (!session?.user) throw new Error('A module was opened without a session.')
      return { session, locale: currentLocale(), theme: storedTheme(), place: begin.current }
    }
    const made = connect(frame.current, { of, start, onFault: (fault) => fail.current(fault) })
    connection.current = made
    return made.end
  }, [of])
  useEffect(() => void connection.current?.send({ kind: 'place', place }), [place])
  useEffect(() => {
    const tell = () => connection.current?.send({ kind: 'look', locale, theme: storedTheme() })
    tell()
    // The theme is an attribute of the document.
    const watch = new MutationObserver(tell)
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watch.disconnect()
  }, [locale])

  return (
    <iframe
      ref={frame}
      className="module-frame"
      title={entry.title[locale]}
      // Without `allow-forms` no form would tell its own page that it is sent; the policy of the page keeps it from leaving.
      sandbox="allow-scripts allow-forms"
      src={`${origin}/frame/${of.name}/${of.build}?lang=${locale}`}
    />
  )
}

type FailedProps = { fault: FrameFault; reference: string; entry: Entry; of: BuildRef; onReload: () => void }

function Failed({ fault, reference, entry, of, onReload }: FailedProps) {
  const title = entry.title[currentLocale()]
  return (
    <div className="stack">
      <PageHead title={title} />
      <Card>
        <Blank
          failed
          title={
            fault === 'silent' ? (
              <Trans>The module {title} does not answer</Trans>
            ) : (
              <Trans>The module {title} was stopped</Trans>
            )
          }
          text={
            <>
              <Trans>
                What was typed in it and not saved is lost. The rest of the portal is not affected.
              </Trans>
              <Whose entry={entry} of={of} reference={reference} />
            </>
          }
          actions={
            <Button variant="primary" icon="retry" onClick={onReload}>
              <Trans>Reload</Trans>
            </Button>
          }
        />
      </Card>
    </div>
  )
}
