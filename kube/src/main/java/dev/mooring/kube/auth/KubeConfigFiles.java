package dev.mooring.kube.auth;

import dev.mooring.text.FileProblem;
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
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reads kubeconfig files as kubectl does: the first file that names an entry wins, and paths are
 * relative to their own file.
 */
final class KubeConfigFiles {
  private static final List<String> PATH_FIELDS =
      List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  private final ArrayList<Object> contexts = new ArrayList<>();
  private final ArrayList<Object> clusters = new ArrayList<>();
  private final ArrayList<Object> users = new ArrayList<>();
  private String currentContext = "";

  private KubeConfigFiles() {}

  static ClusterLogin read(List<Path> files, String context, Time time) throws KubeConfigException {
    KubeConfigFiles merged = new KubeConfigFiles();
    boolean hasFile = false;
    for (Path file : files) {
      if (Files.exists(file)) {
        merged.addFile(file);
        hasFile = true;
      }
    }
    if (!hasFile) {
      throw new KubeConfigException(
          "kubeconfig "
              + files.getFirst()
              + " does not exist: name an existing file with --kubeconfig");
    }
    String contextName = context.isEmpty() ? merged.currentContext : context;
    if (contextName.isEmpty()) {
      throw new KubeConfigException(
          "kubeconfig %s has no current-context: set one with 'kubectl config use-context' or name one with --context"
              .formatted(files));
    }
    merged.checkContext(files, contextName);
    return merged.makeLogin(files, contextName, time);
  }

  private ClusterLogin makeLogin(List<Path> files, String contextName, Time time)
      throws KubeConfigException {
    Map<?, ?> context = findOrEmpty(contexts, contextName, "context");
    String cluster = String.valueOf(context.get("cluster"));
    String user = context.get("user") instanceof String name ? name : "";
    String prefix = "kubeconfig " + files + ": ";
    return LoginReader.read(
        new KubeConfigEntry(
            prefix + "cluster \"" + cluster + "\"", findOrEmpty(clusters, cluster, "cluster")),
        new KubeConfigEntry(prefix + "user \"" + user + "\"", findOrEmpty(users, user, "user")),
        context.get("namespace") instanceof String namespace ? namespace : "",
        time);
  }

  private static Map<?, ?> findOrEmpty(List<Object> entries, String name, String detailsField) {
    Map<?, ?> details = find(entries, name, detailsField);
    return details == null ? Map.of() : details;
  }

  private void addFile(Path file) throws KubeConfigException {
    Object loaded;
    try {
      loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw new KubeConfigException(
          "kubeconfig %s cannot be read (%s): check that it is a text file that this user may read"
              .formatted(file, FileProblem.describe(e)));
    } catch (RuntimeException e) { // also of a tag that does not suit its value
      throw new KubeConfigException(
          "kubeconfig %s is not valid YAML (%s): fix the file or name another with --kubeconfig"
              .formatted(file, describe(e)));
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
    mergeEntries(map.get("contexts"), contexts, "context", file);
    mergeEntries(map.get("clusters"), clusters, "cluster", file);
    mergeEntries(map.get("users"), users, "user", file);
  }

  private static String describe(RuntimeException problem) {
    return problem instanceof MarkedYAMLException marked && marked.getProblemMark() != null
        ? "line " + (marked.getProblemMark().getLine() + 1) + ": " + marked.getProblem()
        : String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
  }

  private static void mergeEntries(
      @Nullable Object entries, List<Object> target, String detailsField, Path file) {
    if (!(entries instanceof List<?> list)) {
      return;
    }
    for (Object entry : list) {
      if (entry instanceof Map<?, ?> entryMap
          && entryMap.get("name") instanceof String name
          && !getNames(target).contains(name)) {
        if (entryMap.get(detailsField) instanceof Map<?, ?> details) {
          resolvePaths(details, file);
        }
        target.add(entry);
      }
    }
  }

  @SuppressWarnings("unchecked") // the YAML library's maps are mutable
  private static void resolvePaths(Map<?, ?> details, Path file) {
    Map<String, Object> writable = (Map<String, Object>) details;
    for (String key : PATH_FIELDS) {
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

  private static List<String> getNames(List<Object> entries) {
    List<String> names = new ArrayList<>();
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map && map.get("name") instanceof String name) {
        names.add(name);
      }
    }
    return names;
  }

  private static @Nullable Map<?, ?> find(List<Object> entries, String name, String detailsField) {
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map && name.equals(map.get("name"))) {
        return map.get(detailsField) instanceof Map<?, ?> details ? details : Map.of();
      }
    }
    return null;
  }

  private void checkContext(List<Path> files, String contextName) throws KubeConfigException {
    Map<?, ?> context = find(contexts, contextName, "context");
    if (context == null) {
      throw new KubeConfigException(
          "kubeconfig %s has no context \"%s\" (it has %s): name one of these with --context"
              .formatted(files, contextName, getNames(contexts)));
    }
    String location = "kubeconfig " + files + ": ";
    String description = location + "context \"" + contextName + "\" names ";
    if (context.get("cluster") == null) {
      throw new KubeConfigException(
          "%scontext \"%s\" names no cluster: set one with 'kubectl config set-context %s --cluster=NAME'"
              .formatted(location, contextName, contextName));
    }
    String clusterName = String.valueOf(context.get("cluster"));
    Map<?, ?> cluster = find(clusters, clusterName, "cluster");
    if (cluster == null) {
      throw makeMissingEntry(description + "cluster", clusterName, clusters);
    }
    checkServer(location + "cluster \"" + clusterName + "\" has ", cluster);
    if (context.get("user") instanceof String user
        && !user.isEmpty()
        && find(users, user, "user") == null) {
      throw makeMissingEntry(description + "user", user, users);
    }
  }

  private static KubeConfigException makeMissingEntry(
      String description, String name, List<Object> available) {
    return new KubeConfigException(
        description
            + " \""
            + name
            + "\", which does not exist (available: "
            + getNames(available)
            + ")");
  }

  private static void checkServer(String description, Map<?, ?> cluster)
      throws KubeConfigException {
    if (!(cluster.get("server") instanceof String server) || server.isEmpty()) {
      throw new KubeConfigException(description + "no server");
    }
    if (!server.startsWith("http://") && !server.startsWith("https://")) {
      throw new KubeConfigException(
          description + "server \"" + server + "\", which is not an http or https address");
    }
  }
}
