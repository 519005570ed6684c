import { normaliseName } from './requirement.ts';

/** Packages of conda that have another name in the Python package index. */
const renamed: Readonly<Record<string, string>> = {
  pytorch: 'torch',
  'pytorch-cpu': 'torch',
  'pytorch-gpu': 'torch',
  'tensorflow-gpu': 'tensorflow',
  'tensorflow-mkl': 'tensorflow',
  opencv: 'opencv-python-headless',
  'py-opencv': 'opencv-python-headless',
  'py-xgboost': 'xgboost',
  'py-lightgbm': 'lightgbm',
  'python-graphviz': 'graphviz',
  'matplotlib-base': 'matplotlib',
  'seaborn-base': 'seaborn',
  'dask-core': 'dask',
  'ray-core': 'ray',
  'spacy-model-en-core-web-sm': 'en-core-web-sm',
  'huggingface-hub': 'huggingface-hub',
  pytables: 'tables',
  'python-dateutil': 'python-dateutil',
  msgpack: 'msgpack',
  'msgpack-python': 'msgpack',
  'ruamel-yaml': 'ruamel-yaml',
  'pytorch-lightning': 'pytorch-lightning',
  faiss: 'faiss-cpu',
  'faiss-gpu': 'faiss-cpu',
  umap: 'umap-learn',
  'python-levenshtein': 'python-levenshtein',
  'biopython-base': 'biopython',
  'prompt-toolkit': 'prompt-toolkit',
};

const programs = new Set(
  `cudatoolkit cudnn pytorch-cuda cuda cuda-toolkit cuda-nvcc cuda-version nccl mkl mkl-service mkl-fft mkl-random blas openblas libblas
liblapack libgcc libgcc-ng libstdcxx-ng libgfortran-ng libgomp gcc gxx gcc-linux-64 gxx-linux-64 compilers make cmake ninja openssl
ca-certificates sqlite zlib xz tk ncurses readline libffi bzip2 ld-impl-linux-64 pip setuptools wheel conda anaconda git
nodejs ffmpeg libpng libjpeg-turbo jpeg freetype hdf5 llvm-openmp intel-openmp tbb libsndfile nomkl python-abi tzdata icu qt
pyqt-impl expat libuuid libiconv libxml2 libxslt lz4-c zstd krb5 pcre glib gdal-bin openmpi mpich java-jdk openjdk r-base
libprotobuf lame lerc libdeflate libtiff libwebp libwebp-base giflib lcms2 openjpeg gmp gnutls nettle openh264 libunistring
libidn2 libtasn1 libcublas libcufft libcurand libcusolver libcusparse libnpp libnvjpeg cuda-cudart cuda-cupti cuda-libraries
cuda-nvrtc cuda-nvtx cuda-runtime pytorch-mutex ffmpeg-bin`.split(/\s+/),
);

/** The name of a conda package in the Python package index. */
export function pipNameOfConda(name: string): string {
  const normal = normaliseName(name);
  return renamed[normal] ?? normal;
}

/** Why a conda package is not installed: it is no Python package. Undefined for those that are. */
export function condaOnly(name: string): string | undefined {
  const normal = normaliseName(name);
  if (normal === 'pip' || normal === 'setuptools' || normal === 'wheel')
    return 'it is used for installing, not for running';
  if (/^cuda|^libcu|^pytorch-cuda/.test(normal)) return 'it is for graphics cards, and runs have none';
  if (programs.has(normal) || /^(lib|_)|^r-|-(linux-64|ng)$/.test(normal))
    return 'it is a system library or program of conda, not a Python package';
  return undefined;
}
