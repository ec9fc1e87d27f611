import { useSession } from '@portal/sdk'
import type { TableView } from '@portal/ui/Table'
import { useState } from 'react'
import { rememberedView, rememberView } from './table-view.ts'

/** How the person wants to see a list, and how she changes it: remembered for her on this device. */
export function useTableView(list: string): [TableView, (view: TableView) => void] {
  const { user } = useSession()
  const [view, setView] = useState(() => rememberedView(user.id, list))
  const change = (next: TableView) => {
    setView(next)
    rememberView(user.id, list, next)
  }
  return [view, change]
}
