/** Links to the same address in the other environment, for an object that was not found. */
export function OtherEnvironmentLink() {
  const { pathname, searchParams } = new URL(location.href);
  const other = searchParams.get('mode') === 'live' ? 'test' : 'live';
  return (
    <p>
      It does not exist in the {other === 'live' ? 'test' : 'live'} data.{' '}
      <a href={`${pathname}?mode=${other}`}>Look in the {other} data</a>
    </p>
  );
}
