import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { ListPage } from '@portal/screens/ListPage'
import { problemText } from '@portal/screens/problemText'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { SurveyFrame } from './SurveyFrame.tsx'
import { useEmbed } from './useEmbed.ts'

/** The survey's dashboard, which an analytics host draws. */
export default function SurveyPage() {
  const { t } = useLingui()
  const { data, error, isFetching, refetch } = useEmbed()
  // A renewal that fails leaves what is shown; the next visit asks again.
  const failed = data ? data.url === null : error !== null
  const problem = error && asProblem(error)
  return (
    <ListPage
      title={t`Bulletin Scolaire Survey`}
      description={t`What the school reports of the programme say, drawn by the analytics host.`}
    >
      <Card className="survey">
        {failed ? (
          <Blank
            failed
            title={t`Error encountered!`}
            text={
              <>
                <Trans>Could not load the data from our external source. Please try again later.</Trans>
                {problem && problem.kind !== 'offline' && (
                  <span className="blank-note">{problemText(problem)}</span>
                )}
              </>
            }
            actions={
              <Button icon="retry" busy={isFetching} onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          />
        ) : (
          <SurveyFrame url={data?.url ?? undefined} title={t`Bulletin Scolaire Survey`} />
        )}
      </Card>
    </ListPage>
  )
}
