import { type ItemKind, type Items, useHost } from '@portal/sdk'
import { Segmented } from '@portal/ui/Filters'
import { type ReactNode, useState } from 'react'
import { openTab } from './ModuleTabs.tsx'

type Props<On extends ItemKind> = {
  on: On
  item: Items[On]
  /** What the choice is called, for readers. */
  label: string
  /** The name of the dialog's own content. */
  own: string
  children: ReactNode
}

/** What modules have on the thing of a dialog, which has no address: chosen beside its own content. */
export function ModuleParts<On extends ItemKind>({ on, item, label, own, children }: Props<On>) {
  const { extensions } = useHost()
  const [chosen, setChosen] = useState('')
  const offered = extensions?.tabs(on) ?? []
  if (!extensions || offered.length === 0) return children
  return (
    <>
      <div>
        <Segmented
          label={label}
          value={chosen}
          onChange={setChosen}
          segments={[
            { value: '', label: own },
            ...offered.map(({ key, title }) => ({ value: key, label: title })),
          ]}
        />
      </div>
      {chosen ? openTab(extensions, chosen, on, item) : children}
    </>
  )
}
