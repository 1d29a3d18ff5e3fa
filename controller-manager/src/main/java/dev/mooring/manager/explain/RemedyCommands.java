package dev.mooring.manager.explain;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.ObjectHolder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Commands to copy that show or correct a cause. */
public final class RemedyCommands {
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final int MAX_OBJECTS = 3;

  private RemedyCommands() {}

  /** Returns commands for the cause; empty if none helps. They need no quoting in a shell. */
  static List<String> of(Explanation e) {
    List<String> commands = new ArrayList<>();
    for (String template : templates(e)) {
      String name = e.subject().key().name();
      String namespace = e.subject().key().namespace();
      if (isSafe(name) && (namespace.isEmpty() || isSafe(namespace))) {
        commands.add(
            template
                .replace("NAME", name)
                .replace("KIND", ExplanationText.shortName(e.subject().kind()))
                .replace(" -n NS", namespace.isEmpty() ? "" : " -n " + namespace));
      }
    }
    return commands;
  }

  /** Returns commands that describe the object, then those for its deepest cause. */
  public static List<String> ofObject(Explanation e) {
    Set<String> commands = new LinkedHashSet<>();
    String name = e.subject().key().name();
    String namespace = e.subject().key().namespace();
    String kind = ExplanationText.shortName(e.subject().kind());
    if (isSafe(name) && (namespace.isEmpty() || isSafe(namespace))) {
      String suffix = namespace.isEmpty() ? "" : " -n " + namespace;
      commands.add("mooring explain %s/%s%s".formatted(kind, name, suffix));
      commands.add(
          "kubectl describe %s %s%s"
              .formatted(kind.equals("class") ? "storageclass" : kind, name, suffix));
    }
    commands.addAll(of(e.deepest()));
    return List.copyOf(commands);
  }

  private static boolean isSafe(String name) {
    return SAFE.matcher(name).matches();
  }

  private static List<String> templates(Explanation e) {
    return switch (e.cause().code()) {
      case "NoVolume", "ClassMissing" -> List.of("kubectl get storageclasses");
      case "ClassIsStatic", "VolumeMissing" -> List.of("kubectl get pv");
      case "ClaimAbsent" -> List.of("kubectl get pvc -n NS");
      case "WaitsForScheduling" -> forEach("kubectl describe pod OBJECT -n NS", targets(e));
      case "ProvisionerNotSeen", "DriverAbsent", "DriverOnNoNode" ->
          List.of("kubectl get csidrivers,csinodes");
      case "ProvisionerStopped" -> List.of("kubectl get leases -A");
      case "CapacityUnpublished", "ClassWithoutRoom" ->
          List.of("kubectl get csistoragecapacities -A");
      case "ProvisionerUnknown", "NoDeleter" -> List.of("mooring plugins");
      case "PluginRefused",
          "PluginFailed",
          "DeleteFailed",
          "WriteRefused",
          "AttachFailed",
          "DetachFailed",
          "AttachmentHeld" ->
          List.of("kubectl describe KIND NAME -n NS");
      case "MultiAttach" ->
          forEach("kubectl get pods -A --field-selector=spec.nodeName=OBJECT", nodes(e));
      case "DeletionsHeld" -> List.of("mooring resume-deletions");
      case "Condemned" -> List.of("mooring undo pv/NAME");
      case "HeldByPods" -> List.of("kubectl describe pvc NAME -n NS");
      default -> List.of();
    };
  }

  private static List<String> targets(Explanation e) {
    return Arrays.asList(e.nextStep().target().split(", ", -1));
  }

  private static List<String> nodes(Explanation e) {
    return e.evidence().holders().stream()
        .filter(holder -> holder.type().equals("node"))
        .map(ObjectHolder::name)
        .toList();
  }

  private static List<String> forEach(String template, List<String> objects) {
    return objects.stream()
        .filter(object -> SAFE.matcher(object).matches())
        .limit(MAX_OBJECTS)
        .map(object -> template.replace("OBJECT", object))
        .toList();
  }
}
