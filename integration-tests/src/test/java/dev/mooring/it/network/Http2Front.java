package dev.mooring.it.network;

import dev.mooring.apiserver.tls.Authority;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Speaks HTTP/2 over TLS, as kube-apiserver does, for a server that speaks HTTP/1.1 without. */
final class Http2Front implements AutoCloseable {
  private static final List<String> PASSED_ON = List.of("accept", "content-type", "authorization");

  private final HttpClient behind = HttpClient.newHttpClient();
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final String url;
  private final Channel listening;

  /** In front of the server of that address, with a certificate of that authority. */
  Http2Front(String url, Authority authority) throws Exception {
    this.url = url;
    JdkSslContext tls =
        new JdkSslContext(
            authority.server(),
            false,
            null,
            IdentityCipherSuiteFilter.INSTANCE,
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2),
            ClientAuth.NONE,
            null,
            false);
    this.listening =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                initializing(connection ->
                    connection
                        .pipeline()
                        .addLast(
                            tls.newHandler(connection.alloc()),
                            Http2FrameCodecBuilder.forServer().build(),
                            new Http2MultiplexHandler(
                                initializing(stream -> stream.pipeline().addLast(new Asked()))))))
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
  }

  private interface Initializing {
    void prepare(Channel channel);
  }

  private static ChannelInitializer<Channel> initializing(Initializing how) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        how.prepare(channel);
      }
    };
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** One request. */
  private final class Asked extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Http2Headers head;

    @Override
    protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
      boolean whole = false;
      if (frame instanceof Http2HeadersFrame headers) {
        head = headers.headers();
        whole = headers.isEndStream();
      } else if (frame instanceof Http2DataFrame data) {
        body.writeBytes(ByteBufUtil.getBytes(data.content()));
        whole = data.isEndStream();
      }
      Http2Headers asked = head;
      if (whole && asked != null) {
        Thread.ofVirtual().start(() -> answer(context.channel(), asked, body.toByteArray()));
      }
    }
  }

  private void answer(Channel stream, Http2Headers asked, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + asked.path()))
            .method(asked.method().toString(), HttpRequest.BodyPublishers.ofByteArray(body));
    for (String name : PASSED_ON) {
      if (asked.get(name) != null) {
        request.header(name, asked.get(name).toString());
      }
    }
    try {
      HttpResponse<InputStream> answer =
          behind.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      Http2Headers head = new DefaultHttp2Headers().status(Integer.toString(answer.statusCode()));
      answer.headers().firstValue("content-type").ifPresent(type -> head.add("content-type", type));
      stream.writeAndFlush(new DefaultHttp2HeadersFrame(head));
      try (InputStream in = answer.body()) {
        byte[] piece = new byte[1 << 14];
        for (int n = in.read(piece); n >= 0 && stream.isActive(); n = in.read(piece)) {
          send(stream, Unpooled.wrappedBuffer(Arrays.copyOf(piece, n)), false);
        }
      }
      send(stream, Unpooled.EMPTY_BUFFER, true);
    } catch (IOException e) {
      send(
          stream, Unpooled.wrappedBuffer(String.valueOf(e).getBytes(StandardCharsets.UTF_8)), true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(Channel stream, ByteBuf piece, boolean last) {
    stream.writeAndFlush(new DefaultHttp2DataFrame(piece, last));
  }

  @Override
  public void close() {
    listening.close();
    threads.shutdownGracefully();
    behind.shutdownNow();
  }
}
