package dev.mooring.spi.files;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directories below a root. Every directory is entered by name from the open one above it,
 * without following links, so that nobody who swaps a directory for a link meanwhile leads anything
 * out of the root or into another volume. The way to the root itself is the administrator's: links
 * in it are followed.
 *
 * <p>New directories are finished aside and moved to their place, so that whoever sees one sees it
 * with its owner and mode. All calls but {@link #move} may be repeated, after a crash too. What a
 * directory is for, and whose it is, the plugin has to know.
 *
 * <p>Errors: an {@link IOException} says that it may or may not have been done ({@code Uncertain}).
 * On a platform that cannot enter directories by descriptor (Linux can) nothing is done. A {@link
 * NotDirectoryException} says that something else than a directory, a link say, is at the path or
 * on the way to it ({@code Rejected}); its {@code getFile()} is what is in the way. A {@link
 * java.nio.file.InvalidPathException} says that the platform's encoding has no such name.
 *
 * <p>Threads: many. Calls block; those that may take long end when they are interrupted.
 */
public final class DirectoryTree {
  /**
   * Who may do what with a new directory.
   *
   * @param mode its permissions, whatever the process's umask is
   * @param uid its owner; empty for the process's user
   * @param gid its group; empty for the one that the system gives it
   */
  public record Access(Set<PosixFilePermission> mode, OptionalInt uid, OptionalInt gid) {
    /** What is given is kept as it is now. */
    public Access {
      mode = Set.copyOf(mode);
    }

    /**
     * The process's user's.
     *
     * @param mode for example {@code rwxr-x---}
     * @throws IllegalArgumentException if that is no mode
     */
    public static Access of(String mode) {
      return new Access(
          PosixFilePermissions.fromString(mode), OptionalInt.empty(), OptionalInt.empty());
    }
  }

  private static final Access PASSAGE = Access.of("rwxr-xr-x");
  private static final String NEW = "new";
  private static final String TRASH = "trash";

  private final Path root;
  private final boolean hasOwn;
  private volatile @Nullable Set<Path> left; // drafts, beside what else is at the root
  private final OwnPlace own;

  private DirectoryTree(Path root, boolean hasOwn) {
    this.root = root;
    this.hasOwn = hasOwn;
    this.own = OwnPlace.at(root);
  }

  /**
   * One that leaves nothing at its root but what it is asked for; while a directory is being made
   * there is one at the root that begins with {@code .mooring-new-}, which stays after a crash
   * until another tree is asked for the same key. Keep one for a root: each lists the root for such
   * drafts once.
   *
   * @param root need not be there yet
   */
  public static DirectoryTree at(Path root) {
    return new DirectoryTree(root, false);
  }

  /**
   * One that has a directory of its own at its root, {@code .mooring}, which is nobody else's to
   * read or write: what is being made is in there, what is being removed, and what the plugin
   * keeps. It is looked at before each use; who may write at the root can still swap it at the very
   * moment of one, so that nobody else should be able to.
   *
   * @param root need not be there yet
   */
  public static DirectoryTree withOwn(Path root) {
    return new DirectoryTree(root, true);
  }

  /** Whether the root is a directory here. */
  public boolean isThere() {
    return Files.isDirectory(root);
  }

  /**
   * Checks that only the process's user and root can change what is in the root, which is no link.
   *
   * @throws java.nio.file.FileSystemException if others can; the reason says what to do
   */
  public void checkRoot() throws IOException {
    OwnPlace.checkTrusted(root);
  }

  /**
   * A directory below {@code .mooring}, for the plugin's own files; made if it is missing, of mode
   * 0700.
   *
   * @param what its name: a constant of the plugin, not {@code new} or {@code trash}
   * @throws NotDirectoryException if something else is there, a link say
   * @throws java.nio.file.FileSystemException if {@code .mooring} is not of the mode or the owner
   *     that this process gives it; the reason says what to do
   */
  public Path own(String what) throws IOException {
    Path name = key(what);
    Path directory = own.folder().resolve(name);
    OwnPlace.ensure(directory);
    return directory;
  }

  private static Path key(String name) {
    try {
      return Path.of(RelativePath.element(name));
    } catch (PathRefused e) {
      throw new IllegalArgumentException(e.why(), e);
    }
  }

  private OpenDirectory open(List<Path> names) throws IOException {
    return OpenDirectory.of(root, names);
  }

  private OpenDirectory openParent(RelativePath path) throws IOException {
    List<Path> names = path.names();
    return open(names.subList(0, names.size() - 1));
  }

  /**
   * Whether anything is there, a link included; what leads to it need not be.
   *
   * @throws IOException if the root itself is not there: nobody can tell then
   */
  public boolean exists(RelativePath path) throws IOException {
    try (OpenDirectory parent = openParent(path)) {
      return parent.has(path.names().getLast());
    } catch (NoSuchFileException none) {
      if (!isThere()) {
        throw new IOException(root + " itself is not there", none);
      }
      return false;
    }
  }

  /**
   * Returns whether the entries of a directory are directories.
   *
   * @throws NoSuchFileException if the directory is not there
   * @throws NotDirectoryException if something else is there, or on the way
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public boolean hasDirectoriesOnly(RelativePath path) throws IOException, InterruptedException {
    try (OpenDirectory directory = open(path.names())) {
      return directory.hasDirectoriesOnly();
    }
  }

  /**
   * Makes a directory, and those that lead to it, which are of mode 0755; one that is there already
   * is left as it is.
   *
   * @param key whom it is for, the volume's name say: what a try left that was cut off is taken
   *     away by the next one
   * @throws NotDirectoryException if something else is there, or on the way
   */
  public void make(RelativePath path, Access access, String key) throws IOException {
    String drafts =
        (hasOwn ? "" : RelativePath.DRAFT)
            + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    List<Path> names = path.names();
    for (int depth = 1; depth <= names.size(); depth++) {
      Path name = names.get(depth - 1);
      try (OpenDirectory parent = open(names.subList(0, depth - 1))) {
        if (!parent.has(name)) {
          makeOne(parent, name, depth == names.size() ? access : PASSAGE, drafts);
        }
        if (!parent.isDirectory(name)) {
          throw new NotDirectoryException(String.join("/", path.elements().subList(0, depth)));
        }
      }
    }
  }

  private void makeOne(OpenDirectory parent, Path name, Access access, String drafts)
      throws IOException {
    Path folder = hasOwn ? own(NEW) : root;
    try (OpenDirectory aside =
        open(hasOwn ? List.of(Path.of(RelativePath.OWN), Path.of(NEW)) : List.of())) {
      for (Path earlier : earlier(aside, drafts)) {
        discardDraft(aside, earlier);
      }
      Path draft = Path.of(drafts + "-" + UUID.randomUUID());
      try {
        Files.createDirectory(folder.resolve(draft), OwnPlace.NOBODY_ELSES);
        finish(aside, draft, folder, access);
        aside.move(draft, parent, name);
      } catch (IOException e) {
        discardDraft(aside, draft);
        if (!parent.has(name)) { // else somebody was faster
          throw e;
        }
      }
    }
  }

  /** What tries left that were cut off. A root with thousands of volumes is listed for it once. */
  private List<Path> earlier(OpenDirectory aside, String drafts) throws IOException {
    if (hasOwn) {
      return aside.startingWith(drafts);
    }
    Set<Path> known = left;
    if (known == null) {
      known = firstListed(aside);
    }
    List<Path> same = known.stream().filter(draft -> draft.toString().startsWith(drafts)).toList();
    same.forEach(known::remove);
    return same;
  }

  private synchronized Set<Path> firstListed(OpenDirectory aside) throws IOException {
    Set<Path> known = left;
    if (known == null) {
      known = ConcurrentHashMap.newKeySet();
      known.addAll(aside.startingWith(RelativePath.DRAFT));
      left = known;
    }
    return known;
  }

  /** Never with what is in it: it may have come to its place this moment, and be somebody's. */
  private void discardDraft(OpenDirectory aside, Path draft) {
    try {
      aside.deleteDirectory(draft);
    } catch (NoSuchFileException gone) {
      return;
    } catch (IOException stays) {
      Set<Path> known = left;
      if (known != null) {
        known.add(draft); // it is of no use, and in nobody's way until the next try
      }
    }
  }

  private static void finish(OpenDirectory aside, Path draft, Path folder, Access access)
      throws IOException {
    try (OpenDirectory made = aside.enter(draft)) {
      Path path = folder.resolve(draft);
      if (access.gid().isPresent()) {
        Files.setAttribute(path, "unix:gid", access.gid().getAsInt(), LinkOption.NOFOLLOW_LINKS);
      }
      if (access.uid().isPresent()) {
        Files.setAttribute(path, "unix:uid", access.uid().getAsInt(), LinkOption.NOFOLLOW_LINKS);
      }
      made.setMode(access.mode());
    }
  }

  /**
   * Moves what is at a path, a link as such, to another one.
   *
   * @param to its parents must be there, and it must be free
   * @throws FileAlreadyExistsException if it is not
   */
  public void move(RelativePath from, RelativePath to) throws IOException {
    try (OpenDirectory source = openParent(from);
        OpenDirectory target = openParent(to)) {
      Path name = to.names().getLast();
      if (target.has(name)) {
        throw new FileAlreadyExistsException(to.toString());
      }
      source.move(from.names().getLast(), target, name);
    }
  }

  /**
   * Removes a directory, where it is, with all that is in it; links in it as links. One that is not
   * there is removed already.
   *
   * @throws NotDirectoryException if something else is there, or on the way
   * @throws IOException if the root itself is not there, something came into the directory
   *     meanwhile, or something is mounted on it or below it, which is left as it is
   * @throws InterruptedException if the thread is interrupted meanwhile; what is left is removed by
   *     the next call
   */
  public void remove(RelativePath path) throws IOException, InterruptedException {
    remove(path, false);
  }

  /**
   * As {@link #remove}, whatever is there: a link or a file is removed as such.
   *
   * @throws NotDirectoryException if something else than a directory is on the way
   */
  public void removeAny(RelativePath path) throws IOException, InterruptedException {
    remove(path, true);
  }

  private void remove(RelativePath path, boolean any) throws IOException, InterruptedException {
    if (!exists(path)) {
      return;
    }
    List<Path> names = path.names();
    try (OpenDirectory parent = openParent(path)) {
      if (parent.isDirectory(names.getLast())) {
        if (!parent.deleteIfEmpty(names.getLast())) {
          TreeRemoval.empty(root, names);
          parent.deleteDirectory(names.getLast());
        }
      } else if (any) {
        parent.deleteFile(names.getLast());
      } else {
        throw new NotDirectoryException(path.toString());
      }
    } catch (NoSuchFileException changed) {
      if (exists(path)) {
        throw changed;
      }
    }
  }

  /**
   * Moves what is at a path aside, a link as such, to be removed by {@link #removeDiscarded}: at
   * once nobody finds it there any more, however long it takes to remove. What is not there was
   * discarded already.
   *
   * @param key whose it was, the volume's name say
   * @throws IllegalArgumentException if the key is not one element of a path
   * @throws IOException if the root itself is not there
   */
  public void discard(RelativePath path, String key) throws IOException {
    Path trash = key(key);
    if (!exists(path)) {
      return;
    }
    OwnPlace.ensure(own(TRASH).resolve(trash));
    try (OpenDirectory from = openParent(path);
        OpenDirectory to = open(trash(key))) {
      from.move(path.names().getLast(), to, Path.of(UUID.randomUUID().toString()));
    } catch (NoSuchFileException changed) {
      if (exists(path)) {
        throw changed;
      }
    }
  }

  /**
   * Removes what was discarded under a key, if anything, as {@link #remove} does.
   *
   * @throws IllegalArgumentException if the key is not one element of a path
   * @throws InterruptedException if the thread is interrupted meanwhile; what is left is removed by
   *     the next call
   */
  public void removeDiscarded(String key) throws IOException, InterruptedException {
    Path trash = own(TRASH).resolve(key(key));
    if (Files.isDirectory(trash, LinkOption.NOFOLLOW_LINKS)) {
      TreeRemoval.empty(root, trash(key));
      Files.delete(trash);
    }
  }

  private static List<Path> trash(String key) {
    return List.of(Path.of(RelativePath.OWN), Path.of(TRASH), key(key));
  }

  /**
   * What is below a directory, itself not counted. A file with several names counts for each of
   * them, a link with its own size.
   *
   * @return bytes and files
   * @throws NoSuchFileException if the directory is not there
   * @throws java.nio.file.FileSystemException if it is more than 2048 directories deep, or has more
   *     files or deep directories than can be added up
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public Usage measure(RelativePath path) throws IOException, InterruptedException {
    return TreeUsage.of(root, path.names());
  }
}
