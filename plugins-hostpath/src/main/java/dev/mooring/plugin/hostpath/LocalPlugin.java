package dev.mooring.plugin.hostpath;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plugin {@code mooring.dev/local}: directories of the controller's machine as volumes of type
 * {@code local}, bound to this node. For clusters with one node, or with one process and one class
 * per node.
 */
public final class LocalPlugin implements VolumePlugin {
  private static final String NAME = "mooring.dev/local";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final Duration ANOTHER_NODE_SOON = Duration.ofSeconds(1);

  private volatile @Nullable MarkedFolder home;
  private volatile String node = "";

  public LocalPlugin() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start(PluginContext context) {
    String folder = context.setting("local-folder", "");
    node = context.setting("local-node", "");
    if (folder.isEmpty()) {
      return;
    }
    Path path = Path.of(folder);
    if (!path.isAbsolute() || !Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          "local-folder %s is not a directory of this machine: set an absolute path with --plugin-setting local-folder=DIR"
              .formatted(folder));
    }
    if (node.isEmpty()) {
      node = thisMachine();
    }
    home = MarkedFolder.at(path);
  }

  private static String thisMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "the name of this machine is unknown: set the node's name with --plugin-setting local-node=NAME",
          e);
    }
  }

  @Override
  public boolean supports(VolumeSource source) {
    MarkedFolder known = home;
    return known != null && source.type().equals("local") && place(known, source).isPresent();
  }

  private static Optional<Path> place(MarkedFolder home, VolumeSource source) {
    try {
      return Optional.of(Path.of(source.attribute("path"))).filter(home::isPlaceOf);
    } catch (InvalidPathException none) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(new LocalProvisioner());
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(this::delete);
  }

  private Attempt<Deleter.Deleted> delete(Deleter.Request request) {
    MarkedFolder known = home;
    VolumeSource source = request.source();
    Optional<Path> place =
        known != null && source.type().equals("local") ? place(known, source) : Optional.empty();
    return known == null || place.isEmpty()
        ? Attempt.rejected(source.attribute("path") + " is not in local-folder")
        : known.delete(request.volumeName(), place.get().getFileName(), false);
  }

  @Override
  public Optional<Expander> expander() {
    return Optional.of(this::expand);
  }

  private Attempt<Expander.Expanded> expand(Expander.Request request) {
    MarkedFolder known = home;
    String directory = request.source().attribute("path");
    Optional<Path> place = known == null ? Optional.empty() : place(known, request.source());
    Quantity wanted = request.to();
    try {
      return known != null && place.isPresent() && known.has(request.volumeName(), place.get())
          ? Attempt.done(new Expander.Expanded(wanted, false))
          : Attempt.rejected(directory + " is not the directory of " + request.volumeName());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Unreachable(directory + ": " + e));
    }
  }

  private final class LocalProvisioner implements Provisioner {
    @Override
    public Optional<String> refuses(Request request) {
      if (home == null) {
        return Optional.of(
            "plugin %s has no directory for volumes: start with --plugin-setting local-folder=DIR"
                .formatted(NAME));
      }
      if (request.volumeMode() == VolumeMode.BLOCK) {
        return Optional.of("plugin " + NAME + " creates directories, not block devices");
      }
      return Optional.empty();
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      MarkedFolder known = home;
      if (known == null) {
        return Attempt.rejected("no local-folder");
      }
      String selected = request.selectedNode();
      if (selected != null && !selected.equals(node)) {
        return new Attempt.Failed<>(
            new Failure.Exhausted(
                "plugin " + NAME + " has volumes on node " + node + ", not on " + selected,
                ANOTHER_NODE_SOON));
      }
      return switch (known.create(request.volumeName(), request.volumeName())) {
        case Attempt.Done<String>(String path) ->
            Attempt.done(
                new Provisioned(
                    VolumeSource.local(path),
                    request.capacity(),
                    request.accessModes(),
                    Map.of(),
                    List.of(Map.of(HOSTNAME, node))));
        case Attempt.Failed<String>(Failure why) -> new Attempt.Failed<>(why);
      };
    }
  }
}
