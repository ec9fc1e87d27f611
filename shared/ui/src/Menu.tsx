import { useLingui } from '@lingui/react/macro'
import { cloneElement, useState } from 'react'
import type { MenuItem, MenuProps } from './DropdownMenu.tsx'
import { lazyFile, useLazy } from './lazy.ts'
import { notify } from './notify.ts'

export type { MenuItem, MenuProps }

const library = lazyFile(async () => {
  const [Radix, { DropdownMenu }] = await Promise.all([
    import('@radix-ui/react-dropdown-menu'),
    import(/* webpackChunkName: "dropdown" */ './DropdownMenu.tsx'),
  ])
  return { Radix, DropdownMenu }
})

/**
 * A menu that opens under its trigger. Its library is fetched when the trigger is pointed at or focused. A click before the
 * library has loaded opens the menu once it has.
 */
export function Menu(props: MenuProps) {
  const { t } = useLingui()
  const [wanted, setWanted] = useState(props.opened ?? false)
  const loaded = useLazy(library, {
    wanted,
    onFailure() {
      setWanted(false)
      notify.error(t`The menu did not load. Check the connection and try again.`)
    },
  })
  if (wanted && loaded) return <loaded.DropdownMenu Radix={loaded.Radix} {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: library.prefetch,
    onFocus: library.prefetch,
    onClick: () => setWanted(true),
  })
}
