package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.forEach;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfEmpty;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.storage.ClaimStrategy;
import dev.mooring.apiserver.kinds.storage.VolumeSources;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

public final class PodDefaults {
  private static final int FILE_MODE = 0644;
  private static final int TOKEN_SECONDS = 3600;
  private static final int GRACE_SECONDS = 30;

  private static final int MAX_IMAGE_LENGTH = 255;
  private static final String PATH_COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";

  private static final Pattern IMAGE_NAME =
      Pattern.compile(
          "(?:[a-zA-Z0-9.-]+(?::[0-9]+)?/)?%s(?:/%s)*(?::\\w[\\w.-]{0,127})?"
              .formatted(PATH_COMPONENT, PATH_COMPONENT));

  private PodDefaults() {}

  static void setPodDefaults(JsonObject spec) {
    for (String list : List.of("initContainers", "containers")) {
      forEach(spec, list, PodDefaults::setRequestDefaults);
    }
    setPodResourceDefaults(spec);
    setIfAbsent(spec, "enableServiceLinks", true);
    if (flagAt(spec, "hostNetwork")) {
      for (String list : List.of("initContainers", "containers")) {
        forEach(spec, list, c -> forEach(c, "ports", PodDefaults::setHostPort));
      }
    }
  }

  private static void setRequestDefaults(JsonObject container) {
    if (valueAt(container, "resources", "limits") instanceof JsonObject limits
        && !limits.isEmpty()) {
      JsonObject requests = getOrAddChild(container, "resources", "requests");
      for (Map.Entry<String, JsonElement> limit : limits.entrySet()) {
        setIfAbsent(requests, limit.getKey(), limit.getValue());
      }
    }
  }

  private static void setPodResourceDefaults(JsonObject spec) {
    if (valueAt(spec, "resources", "limits") instanceof JsonObject limits) {
      for (Map.Entry<String, JsonElement> limit : limits.entrySet()) {
        String name = limit.getKey();
        if (List.of("cpu", "memory").contains(name) || ResourceAmounts.isHugePages(name)) {
          setIfAbsent(getOrAddChild(spec, "resources", "requests"), name, limit.getValue());
        }
      }
    }
  }

  private static void setHostPort(JsonObject port) {
    JsonElement host = port.get("hostPort");
    if ((host == null || host.getAsLong() == 0) && port.has("containerPort")) {
      port.add("hostPort", port.get("containerPort"));
    }
  }

  public static void setSpecDefaults(JsonObject spec) {
    setIfEmpty(spec, "restartPolicy", "Always");
    setIfEmpty(spec, "dnsPolicy", "ClusterFirst");
    setIfEmpty(spec, "schedulerName", "default-scheduler");
    setIfAbsent(spec, "terminationGracePeriodSeconds", GRACE_SECONDS);
    setIfAbsent(spec, "securityContext", new JsonObject());
    setIfEmpty(spec, "serviceAccountName", textAt(spec, "serviceAccount"));
    String account = textAt(spec, "serviceAccountName");
    for (String name : List.of("serviceAccountName", "serviceAccount")) {
      spec.remove(name);
      if (!account.isEmpty()) {
        spec.addProperty(name, account);
      }
    }
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      forEach(spec, list, PodDefaults::setContainerDefaults);
    }
    forEach(spec, "volumes", PodDefaults::setVolumeDefaults);
  }

  private static void setContainerDefaults(JsonObject container) {
    setIfEmpty(container, "terminationMessagePath", "/dev/termination-log");
    setIfEmpty(container, "terminationMessagePolicy", "File");
    setIfEmpty(container, "imagePullPolicy", choosePullPolicy(textAt(container, "image")));
    forEach(container, "ports", p -> setIfEmpty(p, "protocol", "TCP"));
    forEach(
        container,
        "env",
        variable -> {
          if (variable.get("valueFrom") instanceof JsonObject source) {
            setReferenceDefaults(source);
          }
        });
    setIfAbsent(container, "resources", new JsonObject());
    for (String probeField : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(probeField) instanceof JsonObject probe) {
        setProbeDefaults(probe);
      }
    }
    if (container.get("lifecycle") instanceof JsonObject lifecycle
        && lifecycle.remove("stopSignal") != null // the feature gate is off
        && lifecycle.isEmpty()) {
      container.remove("lifecycle");
    }
    for (String hook : List.of("postStart", "preStop")) {
      if (valueAt(container, "lifecycle", hook) instanceof JsonObject handler) {
        setHandlerDefaults(handler);
      }
    }
  }

  private static String choosePullPolicy(String image) {
    boolean isLatest =
        IMAGE_NAME.matcher(image).matches()
            && image.length() <= MAX_IMAGE_LENGTH
            && (image.endsWith(":latest") || image.lastIndexOf(':') <= image.lastIndexOf('/'));
    return isLatest ? "Always" : "IfNotPresent";
  }

  private static void setProbeDefaults(JsonObject probe) {
    setHandlerDefaults(probe);
    setIfZero(probe, "timeoutSeconds", 1);
    setIfZero(probe, "periodSeconds", 10);
    setIfZero(probe, "successThreshold", 1);
    setIfZero(probe, "failureThreshold", 3);
    if (probe.get("grpc") instanceof JsonObject grpc && !grpc.has("service")) {
      grpc.addProperty("service", "");
    }
  }

  private static void setIfZero(JsonObject object, String field, int value) {
    if (!object.has(field) || object.get(field).getAsLong() == 0) {
      object.addProperty(field, value);
    }
  }

  private static void setHandlerDefaults(JsonObject handler) {
    if (handler.get("httpGet") instanceof JsonObject httpGet) {
      setIfEmpty(httpGet, "path", "/");
      setIfEmpty(httpGet, "scheme", "HTTP");
    }
  }

  private static void setVolumeDefaults(JsonObject volume) {
    if (volume.size() <= 1) {
      volume.add("emptyDir", new JsonObject());
    }
    for (String kind : List.of("secret", "configMap", "downwardAPI", "projected")) {
      if (volume.get(kind) instanceof JsonObject source) {
        setIfAbsent(source, "defaultMode", FILE_MODE);
      }
    }
    if (volume.get("downwardAPI") instanceof JsonObject fields) {
      forEach(fields, "items", PodDefaults::setReferenceDefaults);
    }
    if (volume.get("projected") instanceof JsonObject projected) {
      forEach(projected, "sources", PodDefaults::setProjectionDefaults);
    }
    if (volume.get("image") instanceof JsonObject image) {
      setIfEmpty(image, "pullPolicy", choosePullPolicy(textAt(image, "reference")));
    }
    if (valueAt(volume, "ephemeral", "volumeClaimTemplate", "spec") instanceof JsonObject spec) {
      ClaimStrategy.setSpecDefaults(spec);
    }
    VolumeSources.setDefaults(volume);
  }

  private static void setProjectionDefaults(JsonObject source) {
    if (source.get("serviceAccountToken") instanceof JsonObject token) {
      setIfAbsent(token, "expirationSeconds", TOKEN_SECONDS);
    }
    if (source.get("downwardAPI") instanceof JsonObject fields) {
      forEach(fields, "items", PodDefaults::setReferenceDefaults);
    }
  }

  private static void setReferenceDefaults(JsonObject holder) {
    if (holder.get("fieldRef") instanceof JsonObject reference) {
      setIfEmpty(reference, "apiVersion", "v1");
    }
    if (holder.get("resourceFieldRef") instanceof JsonObject reference) {
      setIfEmpty(reference, "divisor", "0");
    }
  }
}
