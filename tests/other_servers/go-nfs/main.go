// A server made with go-nfs that exports a directory: for tests of nfsbench against a server in Go.
//
// usage: go-nfs-server DIRECTORY ADDRESS
//
// It prints "Listening on ADDRESS" when it is ready. NFS and MOUNT have the same port. Every path that is
// mounted is DIRECTORY.
package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	nfs "github.com/willscott/go-nfs"
	"github.com/willscott/go-nfs/helpers"
)

// Size of go-nfs's cache of handles. A handle that is dropped from the cache is stale.
const handleLimit = 100000

// A directory in which attributes can be changed, and links and special files made: go-nfs's interface
// UnixChange.
type tree struct {
	billy.Filesystem
	root string
}

func (t tree) real(path string) string { return filepath.Join(t.root, path) }

func (t tree) Chmod(path string, mode os.FileMode) error { return os.Chmod(t.real(path), mode) }

func (t tree) Chown(path string, uid, gid int) error { return os.Chown(t.real(path), uid, gid) }

func (t tree) Lchown(path string, uid, gid int) error { return os.Lchown(t.real(path), uid, gid) }

func (t tree) Chtimes(path string, accessed, modified time.Time) error {
	return os.Chtimes(t.real(path), accessed, modified)
}

func (t tree) Link(path, link string) error { return os.Link(t.real(path), t.real(link)) }

func (t tree) Mknod(path string, mode, major, minor uint32) error {
	return syscall.Mknod(t.real(path), mode, int(major<<8|minor))
}

func (t tree) Mkfifo(path string, mode uint32) error { return syscall.Mkfifo(t.real(path), mode) }

func (t tree) Socket(path string) error {
	return syscall.Mknod(t.real(path), syscall.S_IFSOCK|0o600, 0)
}

func serve(directory, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("Listening on", listener.Addr())
	handler := helpers.NewNullAuthHandler(tree{osfs.New(directory), directory})
	return nfs.Serve(listener, helpers.NewCachingHandler(handler, handleLimit))
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go-nfs-server DIRECTORY ADDRESS")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
