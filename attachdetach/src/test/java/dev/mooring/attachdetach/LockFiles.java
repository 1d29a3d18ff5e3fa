package dev.mooring.attachdetach;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Plugin without CSI: the lock file of a volume contains the name of the node that has it. A lock
 * file appears completely or not at all, even if the process dies.
 */
final class LockFiles implements VolumePlugin, Attacher, LoadedPlugins {
  private static final String DEVICES = "/dev/";

  private final Path directory;

  LockFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public String name() {
    return "example.com/lock-files";
  }

  @Override
  public boolean supports(VolumeSource source) {
    return source.type().equals("hostPath") && source.attribute("path").startsWith(DEVICES);
  }

  @Override
  public Optional<Attacher> attacher() {
    return Optional.of(this);
  }

  @Override
  public Optional<VolumePlugin> find(String name) {
    return name.equals(name()) ? Optional.of(this) : Optional.empty();
  }

  @Override
  public List<VolumePlugin> findSupporting(VolumeSource source) {
    return supports(source) ? List.of(this) : List.of();
  }

  @Override
  public Optional<String> volumeName(VolumeSource source) {
    return Optional.of(source.attribute("path").substring(DEVICES.length()));
  }

  static VolumeSource source(String volume) {
    return VolumeSource.hostPath(DEVICES + volume);
  }

  private Path lock(String volume) {
    return directory.resolve(volume + ".lock");
  }

  String holder(String volume) {
    try {
      return Files.readString(lock(volume));
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public Attempt<Attached> attach(Request request) {
    try {
      Path temporaryFile =
          Files.writeString(directory.resolve(UUID.randomUUID() + ".tmp"), request.node());
      try {
        Files.createLink(lock(request.volumeName()), temporaryFile); // fails if the file exists
      } catch (FileAlreadyExistsException e) {
        String holder = holder(request.volumeName());
        if (!holder.equals(request.node())) {
          return new Attempt.Failed<>(new Failure.InUse("node " + holder + " has it"));
        }
      } finally {
        Files.delete(temporaryFile);
      }
      return Attempt.done(new Attached(DEVICES + request.volumeName()));
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain(e.toString()));
    }
  }

  @Override
  public Attempt<Detached> detach(String volumeName, String node) {
    try {
      if (holder(volumeName).equals(node)) {
        Files.delete(lock(volumeName));
      }
      return Attempt.done(new Detached());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain(e.toString()));
    }
  }

  @Override
  public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
    Set<String> attachedVolumes = new HashSet<>(volumeNames);
    attachedVolumes.removeIf(volume -> !holder(volume).equals(node));
    return Attempt.done(attachedVolumes);
  }
}
