import { Trans, useLingui } from '@lingui/react/macro'
import { IconButton } from '@portal/ui/Button'
import type { NavEntry } from '@portal/ui/Sidebar'
import { type ReactNode, useState } from 'react'
import { open } from '../opened.ts'
import { searchKey } from '../useSearchKey.ts'
import { goals, keysOn, switchKeys } from './keys.ts'
import { Sheet } from './Sheet.tsx'

/** All keys there are, and the switch for those that are a single one. */
export function KeysSheet({ entries }: { entries: NavEntry[] }) {
  const { t } = useLingui()
  const [on, setOn] = useState(keysOn)
  const close = () => open(null)
  return (
    <Sheet label={t`Keyboard shortcuts`} place="find" onClose={close}>
      <header>
        <h2>
          <Trans>Keyboard shortcuts</Trans>
        </h2>
        <span className="grow" />
        <IconButton icon="x" label={t`Close`} onClick={close} />
      </header>
      <dl className="key-list">
        <Line keys={[searchKey]}>
          <Trans>Search, or go to a page</Trans>
        </Line>
        <Line keys={['Esc']}>
          <Trans>Close a menu or a dialog</Trans>
        </Line>
        <Line keys={[searchKey.replace('K', 'Enter')]}>
          <Trans>Send a form in a dialog, unless it moves money or cannot be undone</Trans>
        </Line>
        <Line keys={['/']}>
          <Trans>Search in the list of this page</Trans>
        </Line>
        {goals(entries).map(({ letter, label }) => (
          <Line key={letter} keys={['g', letter]}>
            <Trans>Go to {label}</Trans>
          </Line>
        ))}
        <Line keys={['g', 'n']}>
          <Trans>Open the notifications</Trans>
        </Line>
        <Line keys={['?']}>
          <Trans>Show this list</Trans>
        </Line>
      </dl>
      <footer>
        <label className="check">
          <input
            type="checkbox"
            checked={on}
            onChange={({ target }) => {
              switchKeys(target.checked)
              setOn(target.checked)
            }}
          />
          <span>
            <Trans>Use single keys</Trans>
          </span>
          <small>
            <Trans>Switch them off where a program that reads or listens uses the same keys.</Trans>
          </small>
        </label>
      </footer>
    </Sheet>
  )
}

const Line = ({ keys, children }: { keys: string[]; children: ReactNode }) => (
  <div>
    <dt>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{children}</dd>
  </div>
)
