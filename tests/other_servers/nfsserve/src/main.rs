//! A server made with the crate nfsserve that exports a directory: for tests of nfsbench against a server
//! that sends the record mark and the reply by two system calls.
//!
//! usage: nfsserve DIRECTORY ADDRESS
//!
//! It prints "Listening on ADDRESS" when it is ready. NFS and MOUNT have the same port. The export is
//! "/export".

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use async_trait::async_trait;
use nfsserve::fs_util::{metadata_to_fattr3, path_setattr};
use nfsserve::nfs::{fattr3, fileid3, filename3, nfspath3, nfsstat3, sattr3};
use nfsserve::tcp::{NFSTcp, NFSTcpListener};
use nfsserve::vfs::{DirEntry, NFSFileSystem, ReadDirResult, VFSCapabilities};

type Answer<T> = Result<T, nfsstat3>;

/// The exported directory. An object's id is its inode number; `paths` has the path where it was last seen.
struct Tree {
    root: fileid3,
    paths: Mutex<HashMap<fileid3, PathBuf>>,
}

fn status(error: io::Error) -> nfsstat3 {
    match error.kind() {
        ErrorKind::NotFound => nfsstat3::NFS3ERR_NOENT,
        ErrorKind::AlreadyExists => nfsstat3::NFS3ERR_EXIST,
        ErrorKind::PermissionDenied => nfsstat3::NFS3ERR_ACCES,
        ErrorKind::DirectoryNotEmpty => nfsstat3::NFS3ERR_NOTEMPTY,
        ErrorKind::NotADirectory => nfsstat3::NFS3ERR_NOTDIR,
        ErrorKind::IsADirectory => nfsstat3::NFS3ERR_ISDIR,
        _ => nfsstat3::NFS3ERR_IO,
    }
}

fn attributes(path: &Path) -> Answer<(fileid3, fattr3)> {
    let metadata = fs::symlink_metadata(path).map_err(status)?;
    Ok((metadata.ino(), metadata_to_fattr3(metadata.ino(), &metadata)))
}

impl Tree {
    fn new(directory: &Path) -> io::Result<Tree> {
        let root = fs::metadata(directory)?.ino();
        let paths = Mutex::new(HashMap::from([(root, directory.to_path_buf())]));
        Ok(Tree { root, paths })
    }

    fn path(&self, id: fileid3) -> Answer<PathBuf> {
        self.paths.lock().unwrap().get(&id).cloned().ok_or(nfsstat3::NFS3ERR_STALE)
    }

    fn path_in(&self, directory: fileid3, name: &filename3) -> Answer<PathBuf> {
        Ok(self.path(directory)?.join(OsStr::from_bytes(name)))
    }

    /// Remember the path of an object. Returns its id and attributes.
    fn found(&self, path: PathBuf) -> Answer<(fileid3, fattr3)> {
        let (id, attributes) = attributes(&path)?;
        self.paths.lock().unwrap().insert(id, path);
        Ok((id, attributes))
    }
}

#[async_trait]
impl NFSFileSystem for Tree {
    fn capabilities(&self) -> VFSCapabilities {
        VFSCapabilities::ReadWrite
    }

    fn root_dir(&self) -> fileid3 {
        self.root
    }

    async fn lookup(&self, directory: fileid3, name: &filename3) -> Answer<fileid3> {
        Ok(self.found(self.path_in(directory, name)?)?.0)
    }

    async fn getattr(&self, id: fileid3) -> Answer<fattr3> {
        Ok(attributes(&self.path(id)?)?.1)
    }

    async fn setattr(&self, id: fileid3, changes: sattr3) -> Answer<fattr3> {
        path_setattr(&self.path(id)?, &changes).await?;
        self.getattr(id).await
    }

    async fn read(&self, id: fileid3, offset: u64, count: u32) -> Answer<(Vec<u8>, bool)> {
        let file = File::open(self.path(id)?).map_err(status)?;
        let size = file.metadata().map_err(status)?.len();
        let mut data = vec![0; size.saturating_sub(offset).min(count.into()) as usize];
        file.read_exact_at(&mut data, offset).map_err(status)?;
        let end = offset + data.len() as u64 >= size;
        Ok((data, end))
    }

    async fn write(&self, id: fileid3, offset: u64, data: &[u8]) -> Answer<fattr3> {
        let file = OpenOptions::new().write(true).open(self.path(id)?).map_err(status)?;
        file.write_all_at(data, offset).map_err(status)?;
        self.getattr(id).await
    }

    async fn create(&self, directory: fileid3, name: &filename3, changes: sattr3) -> Answer<(fileid3, fattr3)> {
        let path = self.path_in(directory, name)?;
        OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(status)?;
        path_setattr(&path, &changes).await?;
        self.found(path)
    }

    async fn create_exclusive(&self, directory: fileid3, name: &filename3) -> Answer<fileid3> {
        let path = self.path_in(directory, name)?;
        File::create_new(&path).map_err(status)?;
        Ok(self.found(path)?.0)
    }

    async fn mkdir(&self, directory: fileid3, name: &filename3) -> Answer<(fileid3, fattr3)> {
        let path = self.path_in(directory, name)?;
        fs::create_dir(&path).map_err(status)?;
        self.found(path)
    }

    /// The crate has one function for REMOVE and RMDIR.
    async fn remove(&self, directory: fileid3, name: &filename3) -> Answer<()> {
        let path = self.path_in(directory, name)?;
        let metadata = fs::symlink_metadata(&path).map_err(status)?;
        let removed = if metadata.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
        removed.map_err(status)?;
        self.paths.lock().unwrap().remove(&metadata.ino());
        Ok(())
    }

    async fn rename(&self, from: fileid3, name: &filename3, to: fileid3, new_name: &filename3) -> Answer<()> {
        let path = self.path_in(to, new_name)?;
        fs::rename(self.path_in(from, name)?, &path).map_err(status)?;
        self.found(path)?;
        Ok(())
    }

    /// Entries are listed in the order of their ids, because the ids are the cookies.
    async fn readdir(&self, directory: fileid3, after: fileid3, most: usize) -> Answer<ReadDirResult> {
        let mut numbered = BTreeMap::new();
        for entry in fs::read_dir(self.path(directory)?).map_err(status)? {
            let path = entry.map_err(status)?.path();
            // Skip an object that was removed meanwhile.
            if let Ok((id, attr)) = self.found(path.clone()) {
                numbered.insert(id, (path, attr));
            }
        }
        let mut rest = numbered.into_iter().filter(|(id, _)| *id > after);
        let entries = rest.by_ref().take(most).map(|(fileid, (path, attr))| DirEntry {
            fileid,
            name: path.file_name().unwrap().as_bytes().into(),
            attr,
        });
        let entries = entries.collect();
        Ok(ReadDirResult { entries, end: rest.next().is_none() })
    }

    async fn symlink(&self, directory: fileid3, name: &filename3, text: &nfspath3, _: &sattr3) -> Answer<(fileid3, fattr3)> {
        let path = self.path_in(directory, name)?;
        symlink(OsStr::from_bytes(text), &path).map_err(status)?;
        self.found(path)
    }

    async fn readlink(&self, id: fileid3) -> Answer<nfspath3> {
        let text = fs::read_link(self.path(id)?).map_err(status)?;
        Ok(text.as_os_str().as_bytes().into())
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, directory, address] = &arguments[..] else {
        eprintln!("usage: nfsserve DIRECTORY ADDRESS");
        std::process::exit(2);
    };
    let mut listener = NFSTcpListener::bind(address, Tree::new(Path::new(directory))?).await?;
    listener.with_export_name("export");
    println!("Listening on {}:{}", listener.get_listen_ip(), listener.get_listen_port());
    listener.handle_forever().await
}
