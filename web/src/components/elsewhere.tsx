/** A way on where an object is not there: it may be one of the other environment, which its address does not say. */
export function Elsewhere() {
  const { pathname, searchParams } = new URL(location.href);
  const other = searchParams.get('mode') === 'live' ? 'test' : 'live';
  return (
    <p>
      It is not in the {other === 'live' ? 'test' : 'live'} data.{' '}
      <a href={`${pathname}?mode=${other}`}>Look in the {other} data</a>
    </p>
  );
}
