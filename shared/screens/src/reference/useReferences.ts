import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { Referable } from '@portal/contracts/module-records'
import type { ReferencesCall } from '@portal/contracts/records'
import { keepPreviousData, useHost, useQuery } from '@portal/sdk'
import { type ReactNode, useState } from 'react'
import { problemText } from '../problemText.tsx'
import './words.ts'

/** Which records can be chosen, and which one is. */
export type Options = {
  /** The call of the collection: `meals.references`. */
  endpoint: ReferencesCall
  /** The field of the collection that is chosen for. */
  field: string
  /** The id that is chosen. */
  value: number | null
  /** Code and name of what is chosen, as its record has them in `references`: null for what the reader may not see. */
  known?: { code: string; name: string } | null | undefined
}

const labelOf = ({ code, name }: Pick<Referable, 'code' | 'name'>) => `${name} (${code})`

/** What a `Combobox` for a reference shows: the name of what is chosen, what was found, and how the search fares. */
export function useReferences({ endpoint, field, value, known }: Options) {
  const { t } = useLingui()
  const { client } = useHost()
  const [asked, setAsked] = useState<string | null>(null)
  const [picked, setPicked] = useState<Referable | null>(null)
  const params = { field }
  const named = picked?.id === value ? picked : known
  const own = useQuery({
    ...queryOf(client, endpoint, { params, query: { id: value ?? 0 } }),
    enabled: value !== null && named === undefined,
  })
  const search = useQuery({
    ...queryOf(client, endpoint, { params, query: { search: asked ?? '' } }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  const busy = search.isFetching && (search.isPlaceholderData || !search.data)
  const things = search.error ? [] : (search.data?.things ?? [])
  const shown = named ?? own.data?.things[0]
  return {
    chosen: chosenText(),
    choices: things.map((thing) => ({ ...thing, label: thing.name, note: noteOf(thing) })),
    busy,
    status: statusOf(),
    onAsk: setAsked,
    pick: setPicked,
  }

  function chosenText(): string {
    if (value === null) return ''
    if (shown) return labelOf(shown)
    const { data, error } = own
    if (named === null || data?.things.length === 0 || error?.kind === 'forbidden')
      return t`No. ${value}, which you may not see`
    return error ? t`No. ${value}, which could not be read` : t`Loading…`
  }

  function statusOf(): ReactNode {
    if (search.error) return problemText(search.error)
    if (busy && things.length === 0) return t`Searching…`
    if (search.data?.more) return t`There are more. Write another word of the name.`
    if (things.length > 0) return null
    return asked ? t`Nothing matches “${asked}”.` : t`Write words of its name, its number or its code.`
  }
}

const noteOf = ({ code, place }: Referable) => [code, place].filter(Boolean).join(' · ')
