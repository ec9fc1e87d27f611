export default function Forecast({ days }) {
  return <p>{`In ${days} days it stays dry.`}</p>
}
