package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

final class RequestTargets {
  private RequestTargets() {}

  static ChannelInitializer<Channel> prepared(Consumer<Channel> how) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        how.accept(channel);
      }
    };
  }

  /** Returns the request target as the client sent it; null if it is not a path (400). */
  static @Nullable URI target(CharSequence sent) {
    try {
      URI target = new URI(sent.toString());
      return target.getRawPath() == null ? null : target;
    } catch (URISyntaxException none) {
      return null;
    }
  }
}
