package dev.mooring.benchmarks;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

final class SampleObjects {
  private SampleObjects() {}

  private static Meta meta(ObjectKey key, int i) {
    return meta(key, new UUID(7, i).toString(), i + 1L, Map.of());
  }

  static Meta meta(ObjectKey key, String uid, long version, Map<String, String> annotations) {
    return new Meta(key, Uid.of(uid), version, 1, 0, Map.of(), annotations, List.of());
  }

  static Volume volume(int i) {
    return new Volume(
        meta(ObjectKey.cluster("v-" + i), i),
        Map.of("storage", Quantity.of(1 + i + "Mi")),
        VolumeSource.nfs("s", "/"),
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.RETAIN,
        "s",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.AVAILABLE, "", ""));
  }

  static Claim claim(int i) {
    return new Claim(
        meta(ObjectKey.of("ns", "c-" + i), i),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of(1 + i + "Mi"),
        "s",
        "",
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        null,
        new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));
  }

  static Volume boundVolume(int i) {
    Volume free = volume(i);
    return new Volume(
        free.meta(),
        free.capacity(),
        free.source(),
        free.accessModes(),
        new ClaimRef(claim(i).key(), claim(i).meta().uid()),
        free.reclaimPolicy(),
        free.storageClass(),
        free.volumeMode(),
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  static Claim boundClaim(int i, long version) {
    Claim free = claim(i);
    return new Claim(
        meta(
            free.key(),
            free.meta().uid().toString(),
            version,
            Map.of("pv.kubernetes.io/bind-completed", "yes")),
        free.accessModes(),
        free.request(),
        "s",
        "v-" + i,
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        null,
        new Claim.Status(
            ClaimPhase.BOUND, List.of("ReadWriteOnce"), Map.of("storage", free.request()), ""));
  }

  static byte[] pods(int count) {
    StringBuilder pad = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      pad.append("\"f:field-")
          .append(i)
          .append("\":{\"f:name\":{},\"f:value\":{},\"k:{\\\"a\\\":\\\"b\\\"}\":{}},");
    }
    StringBuilder out =
        new StringBuilder(
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[");
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",").append(pod(i, pad));
    }
    return out.append("]}").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String pod(int i, CharSequence pad) {
    return """
    {"metadata":{"name":"web-%1$d","namespace":"team-%2$d","uid":"%3$s","resourceVersion":"%1$d","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"web","hash":"abc"},
    "annotations":{"example.com/a":"%4$s"},"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{%5$s"f:last":{}}}]},
    "spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data-%1$d"}},{"name":"token","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}}],"defaultMode":420}}],
    "containers":[{"name":"web","image":"registry.example.com/web:1","ports":[{"containerPort":80,"protocol":"TCP"}],"env":[{"name":"A","value":"%4$s"},{"name":"B","value":"%4$s"}],
    "resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"100m","memory":"128Mi"}},"volumeMounts":[{"name":"data","mountPath":"/data"},{"name":"token","mountPath":"/token","readOnly":true}],
    "livenessProbe":{"httpGet":{"path":"/","port":80,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],
    "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","nodeName":"node-%2$d","securityContext":{},"schedulerName":"default-scheduler",
    "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]},
    "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}],"hostIP":"10.0.0.1","podIP":"10.1.0.1",
    "startTime":"2026-01-01T00:00:00Z","containerStatuses":[{"name":"web","state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"web:1","imageID":"sha256:0","containerID":"c://1","started":true}],"qosClass":"Burstable"}}\
    """
        .formatted(i, i % 100, new UUID(3, i), "x".repeat(400), pad);
  }
}
