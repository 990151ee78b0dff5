//! A temporary home folder with the settings of one client.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clients::{Client, Locations, SettingsProblem, Setup, Step};
use process::Environment;

pub(crate) struct Home {
    folder: tempfile::TempDir,
    pub(crate) client: &'static dyn Client,
}

impl Home {
    pub(crate) fn new(client: &'static dyn Client) -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap(), client };
        fs::create_dir(home.path("")).unwrap();
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn locations(&self) -> Locations {
        self.client.user_locations(&self.path(""), &Environment::default())
    }

    fn receipt(&self) -> PathBuf {
        self.folder.path().join("state/receipt.json")
    }

    fn setup(&self, locations: Locations) -> Setup {
        let Locations { folder, servers, trust } = locations;
        let programs = PathBuf::from("/opt/it's here/bin");
        Setup { programs, folder, servers, with_tool_hooks: true, trust }
    }

    /// Installs everything: the prompt hook, the hooks of tool calls, the MCP server and the trust.
    pub(crate) fn install(&self) -> Result<Vec<Step>, SettingsProblem> {
        self.install_at(self.locations(), false)
    }

    pub(crate) fn install_at(
        &self,
        locations: Locations,
        is_dry: bool,
    ) -> Result<Vec<Step>, SettingsProblem> {
        let targets = self.client.targets(&self.setup(locations));
        clients::install(&targets, &self.receipt(), "1", is_dry)
    }

    pub(crate) fn uninstall(&self) -> Result<Vec<Step>, SettingsProblem> {
        let targets = self.client.targets(&self.setup(self.locations()));
        clients::uninstall(&targets, &self.receipt(), "2", false)
    }

    /// Returns all files and folders of the home.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder) {
                files.insert(path.clone(), fs::read(&path).ok());
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        files
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
