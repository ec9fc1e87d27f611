import { useLingui } from '@lingui/react/macro'
import { type LoggedMessage, messages } from '@portal/contracts/attendance/messages'
import { DataTable } from '@portal/screens/DataTable'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { ButtonLink } from '@portal/ui/Button'
import { useMessageColumns } from './useMessageColumns.tsx'
import { useRetry } from './useRetry.ts'
import { useStill } from './useStill.ts'
import { entityName } from './words.ts'

const MessageDialog = lazy(() => import('./MessageDialog.tsx'), 'MessageDialog')

/** How often the messages are refreshed (Calls 4.5). */
const every = 5000

/** What devices have sent and the portal has not taken in: the newest first, and why where it failed. */
export default function MessagesPage() {
  const { t } = useLingui()
  const can = useCan()
  // The chips show the counts, so an empty choice is not worded as a failed search.
  const list = { ...useList(messages.list, 'messages', { every }), narrowed: false }
  // Why a message failed is told by the server.
  useLanguageRefetch(messages.list)
  const columns = useMessageColumns()
  const box = useStill(list.items)
  const reading = useDialog<LoggedMessage>()
  const retry = useRetry()
  const { waiting, failed } = list.answer ?? {}
  const state = list.view.filter('state')
  const empty =
    state && (waiting || failed)
      ? state === 'failed'
        ? t`No message has failed.`
        : t`No message is waiting.`
      : {
          title: t`All messages have been processed!`,
          text: t`What devices send appears here until it is taken in, most of it only for seconds.`,
        }
  return (
    <ListPage
      title={t`Recent messages sync log`}
      description={t`What devices have sent and is not processed yet, and why where it failed. Refreshed every 5 seconds.`}
      actions={
        can('sync.manage') && (
          <ButtonLink href="/admin/sync" icon="key" renderLink={pageLink}>
            {t`Message devices`}
          </ButtonLink>
        )
      }
    >
      <div ref={box} style={{ overflowAnchor: 'none' }}>
        <DataTable
          label={t`Recent messages sync log`}
          list={list}
          columns={columns}
          empty={empty}
          filters={[
            {
              name: 'state',
              label: t`State`,
              total: waiting === undefined || failed === undefined ? undefined : waiting + failed,
              options: [
                { value: 'waiting', label: t`Waiting`, count: waiting },
                { value: 'failed', label: t`Failed`, count: failed },
              ],
            },
          ]}
          rowName={(message) => `${entityName(message.entity_type)} ${message.id}`}
          rowActions={(message) => [
            { label: t`See Details`, icon: 'eye', permission: null, onSelect: () => reading.open(message) },
            ...(message.error === null
              ? []
              : [
                  {
                    label: t`Retry`,
                    icon: 'retry',
                    permission: 'sync.manage',
                    onSelect: () => void retry(message.id),
                  } as const,
                ]),
          ]}
        />
      </div>
      {reading.item && <MessageDialog message={reading.item} onRetry={retry} onClose={reading.close} />}
    </ListPage>
  )
}
