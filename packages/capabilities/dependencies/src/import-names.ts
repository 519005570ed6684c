/** Modules that are imported under another name than the one of the package that brings them. */
const table = `
cv2 opencv-python-headless | sklearn scikit-learn | skimage scikit-image | yaml PyYAML | PIL Pillow | bs4 beautifulsoup4
dateutil python-dateutil | dotenv python-dotenv | jwt PyJWT | Crypto pycryptodome | Cryptodome pycryptodomex | serial pyserial
usb pyusb | MySQLdb mysqlclient | psycopg2 psycopg2-binary | lightning pytorch-lightning | pytorch_lightning pytorch-lightning
umap umap-learn | hdbscan hdbscan | faiss faiss-cpu | sentence_transformers sentence-transformers | transformers transformers
attr attrs | docx python-docx | pptx python-pptx | fitz PyMuPDF | magic python-magic | slugify python-slugify | jose python-jose
multipart python-multipart | telegram python-telegram-bot | discord discord.py | github PyGithub | gitlab python-gitlab | git GitPython
Levenshtein python-Levenshtein | OpenSSL pyOpenSSL | nacl PyNaCl | zmq pyzmq | websocket websocket-client | ldap python-ldap
markdown Markdown | jinja2 Jinja2 | flask Flask | werkzeug Werkzeug | sqlalchemy SQLAlchemy | pkg_resources setuptools | setuptools setuptools
mpl_toolkits matplotlib | pylab matplotlib | pandas_datareader pandas-datareader | tensorflow_hub tensorflow-hub
tensorflow_datasets tensorflow-datasets | tensorflow_text tensorflow-text | tensorflow_probability tensorflow-probability
torch_geometric torch-geometric | torchtext torchtext | pl_bolts lightning-bolts | ruamel ruamel.yaml | rest_framework djangorestframework
google.protobuf protobuf | googleapiclient google-api-python-client | kafka kafka-python | memcache python-memcached | nmap python-nmap
Bio biopython | Xlib python-xlib | gi PyGObject | wx wxPython | win32com pywin32 | win32api pywin32 | pythoncom pywin32 | cairo pycairo
igraph igraph | community python-louvain | snappy python-snappy | lzo python-lzo | editdistance editdistance | sentencepiece sentencepiece
pycocotools pycocotools | imblearn imbalanced-learn | xgboost xgboost | catboost catboost | lightgbm lightgbm | category_encoders category-encoders
surprise scikit-surprise | sksurv scikit-survival | skopt scikit-optimize | skmultilearn scikit-multilearn | hmmlearn hmmlearn | pomegranate pomegranate
prophet prophet | fbprophet prophet | gluonts gluonts | tslearn tslearn | statsmodels statsmodels | patsy patsy | pyclustering pyclustering
spacy spacy | nltk nltk | gensim gensim | jieba jieba | pypinyin pypinyin | snownlp snownlp | opencc opencc-python-reimplemented | zhconv zhconv
ahocorasick pyahocorasick | marisa_trie marisa-trie | fasttext fasttext-wheel | regex regex | langdetect langdetect | emoji emoji
simplejson simplejson | ujson ujson | orjson orjson | msgpack msgpack | lxml lxml | html5lib html5lib | mistune mistune | unidecode Unidecode
stopwordsiso stopwordsiso | textstat textstat | vaderSentiment vaderSentiment | afinn afinn | pattern Pattern | readability readability
absl absl-py | flax flax | haiku dm-haiku | optax optax | jax jax | jaxlib jaxlib | tree dm-tree | einops einops | timm timm
omegaconf omegaconf | hydra hydra-core | fire fire | click click | tap typed-argument-parser | rich rich | tqdm tqdm | loguru loguru
wandb wandb | mlflow mlflow | tensorboardX tensorboardX | comet_ml comet-ml | neptune neptune | sacred sacred | visdom visdom
h5py h5py | tables tables | netCDF4 netCDF4 | xarray xarray | zarr zarr | dask dask | numba numba | cython Cython | Cython Cython | pyximport Cython
rasterio rasterio | shapely Shapely | fiona Fiona | geopandas geopandas | osgeo GDAL | pyproj pyproj | cartopy Cartopy | folium folium
librosa librosa | soundfile soundfile | pyaudio PyAudio | pydub pydub | essentia essentia | madmom madmom | mido mido | pretty_midi pretty_midi
rdkit rdkit | openbabel openbabel | ase ase | pymatgen pymatgen | MDAnalysis MDAnalysis | Cheetah Cheetah3 | enchant pyenchant | cpuinfo py-cpuinfo
IPython ipython | ipywidgets ipywidgets | notebook notebook | graphviz graphviz | pydot pydot | pygraphviz pygraphviz | plotly plotly | dash dash
apex nvidia-apex | clip openai-clip | faster_whisper faster-whisper | whisper openai-whisper | dlib dlib | face_recognition face-recognition
`;

const names = new Map(
  table
    .split(/[|\n]/)
    .map((entry) => entry.trim().split(/\s+/))
    .filter((entry): entry is [string, string] => entry.length === 2)
    .map(([module, name]) => [module, name] as const),
);

/** The package that brings a module: from a table of well-known ones, else the module's own name. */
export function packageOfModule(module: string): { readonly name: string; readonly isKnown: boolean } {
  const found = names.get(module);
  return { name: found ?? module.replaceAll('_', '-'), isKnown: found !== undefined };
}

/** True when this is the name of a module whose package is called differently, so that as a package it is a mistake. */
export function isImportNameOnly(name: string): boolean {
  const found = names.get(name) ?? names.get(name.replaceAll('-', '_'));
  return (
    found !== undefined &&
    found.toLowerCase().replaceAll(/[-_.]+/g, '-') !== name.toLowerCase().replaceAll(/[-_.]+/g, '-')
  );
}

/** Names of packages that are well known here, for finding a slip of the pen. */
export function wellKnownPackages(): readonly string[] {
  return [...new Set([...names.values(), ...more])];
}

const more =
  `numpy scipy pandas matplotlib seaborn requests torch torchvision torchaudio tensorflow keras networkx sympy joblib
threadpoolctl psutil pytest six setuptools wheel packaging tokenizers datasets accelerate safetensors huggingface-hub peft
evaluate bitsandbytes diffusers polars pyarrow fastapi uvicorn pydantic httpx aiohttp urllib3 certifi openpyxl xlrd tabulate
termcolor colorama texttable bokeh altair optuna ray gym gymnasium stable-baselines3 scikit-learn-extra pyod shap lime eli5
captum interpret`.split(/\s+/);
