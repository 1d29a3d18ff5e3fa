package dev.mooring.manager.lifecycle;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

public final class HostName {
  private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Reads the name that {@code hostname} prints; "localhost" if there is none. */
  public static String read() {
    return read(KERNEL_NAME);
  }

  // Java's own lookup asks the resolver, which knows only names in /etc/hosts and DNS.
  static String read(Path kernelName) {
    try {
      String name = Files.readString(kernelName).strip();
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IOException e) {
      // another operating system than Linux
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
