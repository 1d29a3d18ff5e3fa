package ${package};

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.DirectoryTree.Access;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Example plugin: each volume is a subdirectory of one directory. Replace this with calls to your storage. */
public final class StoragePlugin implements VolumePlugin {
  private volatile Path folder = Path.of("/var/lib/${artifactId}");
  private volatile DirectoryTree tree = DirectoryTree.at(folder); // never follows links out of the directory

  @Override
  public String name() {
    return "${pluginName}"; // the provisioner name in StorageClasses
  }

  @Override
  public void start(PluginContext context) {
    folder = Path.of(context.setting("${artifactId}-folder", "/var/lib/${artifactId}"));
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "${artifactId}-folder " + folder + " is not a directory: set one with --plugin-setting ${artifactId}-folder=DIR");
    }
    tree = DirectoryTree.at(folder);
  }

  @Override
  public boolean supports(VolumeSource source) {
    return source.type().equals("hostPath") && Path.of(source.attribute("path")).startsWith(folder);
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(this::provision);
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(this::delete);
  }

  private Attempt<Provisioner.Provisioned> provision(Provisioner.Request request) {
    String name = request.volumeName(); // the same in every retry
    try {
      tree.make(RelativePath.of(name), Access.of("rwxrwxrwx"), name);
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (NotDirectoryException | InvalidPathException e) {
      return Attempt.rejected(name + " cannot be created as a directory of " + folder + ": " + e);
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("creating " + name + " failed: " + e));
    }
    return Attempt.done(
        new Provisioner.Provisioned(
            VolumeSource.hostPath(folder + "/" + name), request.capacity(), request.accessModes(), Map.of()));
  }

  private Attempt<Deleter.Deleted> delete(Deleter.Request request) {
    String path = request.source().attribute("path");
    if (!path.equals(folder + "/" + request.volumeName())) {
      return Attempt.rejected(path + " is not the path of volume " + request.volumeName());
    }
    try {
      tree.remove(RelativePath.of(request.volumeName()));
      return Attempt.done(new Deleter.Deleted());
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (NotDirectoryException | InvalidPathException e) {
      return Attempt.rejected(path + " is not a directory that can be removed: " + e);
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("removing " + path + " failed: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Uncertain("removing " + path + " was interrupted"));
    }
  }
}
