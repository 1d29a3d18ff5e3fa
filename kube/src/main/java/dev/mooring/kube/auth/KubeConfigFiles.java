package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads kubeconfig files as kubectl does: the first file that names an entry wins, and paths are
 * relative to their own file.
 */
final class KubeConfigFiles {
  private static final List<String> PATHS =
      List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  private final ArrayList<Object> contexts = new ArrayList<>();
  private final ArrayList<Object> clusters = new ArrayList<>();
  private final ArrayList<Object> users = new ArrayList<>();
  private String currentContext = "";

  private KubeConfigFiles() {}

  static ClusterLogin read(List<Path> files, String context, Time time) throws KubeConfigException {
    KubeConfigFiles merged = new KubeConfigFiles();
    boolean any = false;
    for (Path file : files) {
      if (Files.exists(file)) {
        merged.add(file);
        any = true;
      }
    }
    if (!any) {
      throw new KubeConfigException(
          "kubeconfig "
              + files.getFirst()
              + " does not exist: name an existing file with --kubeconfig");
    }
    String wanted = context.isEmpty() ? merged.currentContext : context;
    if (wanted.isEmpty()) {
      throw new KubeConfigException(
          "kubeconfig %s has no current-context: set one with 'kubectl config use-context' or name one with --context"
              .formatted(files));
    }
    merged.check(files, wanted);
    return merged.login(files, wanted, time);
  }

  private ClusterLogin login(List<Path> files, String wanted, Time time)
      throws KubeConfigException {
    Map<?, ?> context = found(contexts, wanted, "context");
    String cluster = String.valueOf(context.get("cluster"));
    String user = context.get("user") instanceof String name ? name : "";
    String prefix = "kubeconfig " + files + ": ";
    return LoginReader.of(
        new KubeConfigEntry(
            prefix + "cluster \"" + cluster + "\"", found(clusters, cluster, "cluster")),
        new KubeConfigEntry(prefix + "user \"" + user + "\"", found(users, user, "user")),
        context.get("namespace") instanceof String named ? named : "",
        time);
  }

  private static Map<?, ?> found(List<Object> entries, String name, String inner) {
    Map<?, ?> details = find(entries, name, inner);
    return details == null ? Map.of() : details;
  }

  private void add(Path file) throws KubeConfigException {
    Object loaded;
    try {
      loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw new KubeConfigException(
          "kubeconfig %s cannot be read (%s): check that it is a text file that this user may read"
              .formatted(file, e.getMessage()));
    } catch (YAMLException e) {
      throw new KubeConfigException(
          "kubeconfig %s is not valid YAML (%s): fix the file or name another with --kubeconfig"
              .formatted(file, firstLine(e.getMessage())));
    }
    if (!(loaded instanceof Map<?, ?> map)) {
      throw new KubeConfigException(
          "kubeconfig "
              + file
              + " contains no clusters, users and contexts: name another file with --kubeconfig");
    }
    if (currentContext.isEmpty() && map.get("current-context") instanceof String current) {
      currentContext = current;
    }
    merge(map.get("contexts"), contexts, "context", file);
    merge(map.get("clusters"), clusters, "cluster", file);
    merge(map.get("users"), users, "user", file);
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }

  private static void merge(@Nullable Object entries, List<Object> into, String inner, Path file) {
    if (!(entries instanceof List<?> list)) {
      return;
    }
    for (Object entry : list) {
      if (entry instanceof Map<?, ?> named
          && named.get("name") instanceof String name
          && !names(into).contains(name)) {
        if (named.get(inner) instanceof Map<?, ?> details) {
          absolute(details, file);
        }
        into.add(entry);
      }
    }
  }

  @SuppressWarnings("unchecked") // the YAML library's maps are mutable
  private static void absolute(Map<?, ?> details, Path file) {
    Map<String, Object> writable = (Map<String, Object>) details;
    for (String key : PATHS) {
      if (details.get(key) instanceof String path && !path.isEmpty()) {
        writable.put(key, file.toAbsolutePath().resolveSibling(path).toString());
      }
    }
    if (details.get("exec") instanceof Map<?, ?> exec
        && exec.get("command") instanceof String command
        && command.contains("/")) {
      ((Map<String, Object>) exec)
          .put("command", file.toAbsolutePath().resolveSibling(command).toString());
    }
  }

  private static List<String> names(List<Object> entries) {
    List<String> names = new ArrayList<>();
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map && map.get("name") instanceof String name) {
        names.add(name);
      }
    }
    return names;
  }

  private static @Nullable Map<?, ?> find(List<Object> entries, String name, String inner) {
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map && name.equals(map.get("name"))) {
        return map.get(inner) instanceof Map<?, ?> details ? details : Map.of();
      }
    }
    return null;
  }

  private void check(List<Path> files, String wanted) throws KubeConfigException {
    Map<?, ?> context = find(contexts, wanted, "context");
    if (context == null) {
      throw new KubeConfigException(
          "kubeconfig %s has no context \"%s\" (it has %s): name one of these with --context"
              .formatted(files, wanted, names(contexts)));
    }
    String where = "kubeconfig " + files + ": ";
    String naming = where + "context \"" + wanted + "\" names ";
    String clusterName = String.valueOf(context.get("cluster"));
    Map<?, ?> cluster = find(clusters, clusterName, "cluster");
    if (cluster == null) {
      throw missingEntry(naming + "cluster", clusterName, clusters);
    }
    checkServer(where + "cluster \"" + clusterName + "\" has ", cluster);
    if (context.get("user") instanceof String user
        && !user.isEmpty()
        && find(users, user, "user") == null) {
      throw missingEntry(naming + "user", user, users);
    }
  }

  private static KubeConfigException missingEntry(String naming, String name, List<Object> there) {
    return new KubeConfigException(
        naming + " \"" + name + "\", which does not exist (available: " + names(there) + ")");
  }

  private static void checkServer(String has, Map<?, ?> cluster) throws KubeConfigException {
    if (!(cluster.get("server") instanceof String server) || server.isEmpty()) {
      throw new KubeConfigException(has + "no server");
    }
    if (!server.startsWith("http://") && !server.startsWith("https://")) {
      throw new KubeConfigException(
          has + "server \"" + server + "\", which is not an http or https address");
    }
  }
}
