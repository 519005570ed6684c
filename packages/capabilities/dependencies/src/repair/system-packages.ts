/** Debian packages that hold headers and libraries which Python packages are built against or load. */
const table: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^Python\.h$/, 'python3-dev'],
  [/portaudio/, 'portaudio19-dev'],
  [/fftw3/, 'libfftw3-dev'],
  [/^(libpq|psycopg2|pg_config)|libpq-fe\.h/, 'libpq-dev'],
  [/mysql|mysqlclient/, 'default-libmysqlclient-dev pkg-config'],
  [/^(lber|ldap|sasl)|python-ldap/, 'libldap2-dev libsasl2-dev'],
  [/xmlsec/, 'libxmlsec1-dev'],
  [/libxml|libxslt|^lxml$/, 'libxml2-dev libxslt1-dev'],
  [/ffi\.h|^libffi/, 'libffi-dev'],
  [/openssl|^libssl|^libcrypto/, 'libssl-dev'],
  [/curl/, 'libcurl4-openssl-dev'],
  [/cairo/, 'libcairo2-dev'],
  [/graphviz/, 'libgraphviz-dev'],
  [/hdf5/, 'libhdf5-dev'],
  [/^gdal|^libgdal/, 'libgdal-dev'],
  [/geos/, 'libgeos-dev'],
  [/blas|lapack/, 'libopenblas-dev'],
  [/snappy/, 'libsnappy-dev'],
  [/zlib\.h|^libz$/, 'zlib1g-dev'],
  [/bz2/, 'libbz2-dev'],
  [/sndfile/, 'libsndfile1'],
  [/^libGL\.|^libGLX/, 'libgl1'],
  [/^libgthread|^libglib/, 'libglib2.0-0'],
  [/^libgomp/, 'libgomp1'],
  [/^libSM|^libXext|^libXrender/, 'libsm6 libxext6 libxrender1'],
  [/^libtbb/, 'libtbb2'],
  [/enchant/, 'libenchant-2-2'],
  [/magic/, 'libmagic1'],
];

/** The package of Debian that has a header or library, where it is known. */
export function systemPackageOf(what: string): string | undefined {
  const found = table.find(([pattern]) => pattern.test(what))?.[1];
  return found === 'portaudio19-dev' && what.includes('.so') ? 'libportaudio2' : found;
}
