package ${package};

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Volumes that are directories of one folder: a place to begin. Yours talks to your storage. */
public final class StoragePlugin implements VolumePlugin {
  private volatile Path folder = Path.of("/var/lib/${artifactId}");

  @Override
  public String name() {
    return "${pluginName}"; // what StorageClasses call their provisioner
  }

  @Override
  public void start(PluginContext context) {
    folder = Path.of(context.setting("${artifactId}-folder", "/var/lib/${artifactId}"));
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "${artifactId}-folder " + folder + " is no directory: name one with --plugin-setting ${artifactId}-folder=DIR");
    }
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
    Path volume = folder.resolve(request.volumeName()); // the same at every try
    try {
      Files.createDirectories(volume);
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("making " + volume + " failed: " + e));
    }
    return Attempt.done(
        new Provisioner.Provisioned(
            VolumeSource.hostPath(volume.toString()), request.capacity(), request.accessModes(), Map.of()));
  }

  private Attempt<Deleter.Gone> delete(Deleter.Request request) {
    Path volume = Path.of(request.source().attribute("path"));
    if (!volume.equals(folder.resolve(request.volumeName()))) {
      return Attempt.rejected(volume + " is not where volume " + request.volumeName() + " would be");
    }
    if (!Files.exists(volume)) {
      return Attempt.done(new Deleter.Gone());
    }
    try (Stream<Path> content = Files.walk(volume)) { // links are not followed
      List<Path> deepestFirst = content.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
      return Attempt.done(new Deleter.Gone());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("removing " + volume + " failed: " + e));
    }
  }
}
