import { useState } from 'react'
import './survey.css'

/** The frame is 600 pixels high. */
const height = 600

/**
 * The dashboard in its frame. A renewed address is loaded in a second frame behind the first, which is removed once the new
 * one has loaded, so that nothing flickers.
 */
export function SurveyFrame({ url, title }: { url: string | undefined; title: string }) {
  const [shown, setShown] = useState<string>()
  const frames = [...new Set([shown, url])].filter((each) => each !== undefined)
  return (
    <div className="survey-frame" aria-busy={url === undefined || shown === undefined || undefined}>
      {frames.map((each) => (
        <iframe
          key={each}
          src={each}
          title={title}
          height={height}
          sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-downloads"
          referrerPolicy="no-referrer"
          className={frames.length > 1 && each !== shown ? 'behind' : undefined}
          onLoad={() => setShown(each)}
        />
      ))}
    </div>
  )
}
