import { Plural } from '@lingui/react/macro'
import { Notice } from '@portal/ui/Notice'

/** Says that rows which a person or a filter has hidden in the file are imported too; nothing where there are none. */
export function HiddenRows({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Notice tone="waiting">
      <Plural
        value={count}
        one="# row is hidden in the file. It is imported like the others; to leave it out, delete it in the file."
        other="# rows are hidden in the file. They are imported like the others; to leave them out, delete them in the file."
      />
    </Notice>
  )
}
