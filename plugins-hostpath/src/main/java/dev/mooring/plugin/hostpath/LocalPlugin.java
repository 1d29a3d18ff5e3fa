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
 * {@code mooring.dev/local}: directories of the machine that the controller runs on, as volumes of
 * type {@code local} that are bound to this node. For clusters of one node, or one such process per
 * node with a class of its own.
 */
public final class LocalPlugin implements VolumePlugin {
  private static final String NAME = "mooring.dev/local";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final Duration ANOTHER_NODE_SOON = Duration.ofSeconds(1);

  private volatile @Nullable Home home;
  private volatile String node = "";

  /** For the host's ServiceLoader. */
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
          "local-folder "
              + folder
              + " is no directory of this machine: name one by its absolute path with --plugin-setting local-folder=DIR");
    }
    if (node.isEmpty()) {
      node = thisMachine();
    }
    home = Home.at(path);
  }

  private static String thisMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "this machine does not know its name: give the node's with --plugin-setting local-node=NAME",
          e);
    }
  }

  @Override
  public boolean supports(VolumeSource source) {
    Home known = home;
    return known != null && source.type().equals("local") && place(known, source).isPresent();
  }

  /** The path of a source if it is a volume's in there; it may be none that this platform has. */
  private static Optional<Path> place(Home home, VolumeSource source) {
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

  private Attempt<Deleter.Gone> delete(Deleter.Request request) {
    Home known = home;
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

  /** A directory has no size of its own: it is enough that it is there. */
  private Attempt<Expander.Expanded> expand(Expander.Request request) {
    Home known = home;
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
            "plugin "
                + NAME
                + " has no folder for volumes: start with --plugin-setting local-folder=DIR");
      }
      if (request.volumeMode() == VolumeMode.BLOCK) {
        return Optional.of("plugin " + NAME + " makes directories, not block devices");
      }
      return Optional.empty();
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      Home known = home;
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
