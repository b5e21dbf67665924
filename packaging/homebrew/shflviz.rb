# For a tap, or: brew install --HEAD ./packaging/homebrew/shflviz.rb. HOMEBREW_SHFLVIZ_SOURCE names another checkout.
class Shflviz < Formula
  desc "See what the lanes of a CUDA warp do, one step per keypress"
  license "MIT"
  head ENV.fetch("HOMEBREW_SHFLVIZ_SOURCE", "file://#{File.expand_path("../..", __dir__)}"), using: :git, branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "json-c"
  depends_on "libmicrohttpd"
  depends_on "llvm"
  depends_on "qrencode"
  depends_on "ncurses"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DSHFLVIZ_CUDA=OFF", "-DBUILD_TESTING=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    # Lane 5 reads lane 5 ^ 3 = 6.
    output = shell_output("#{bin}/shflviz xor --mask 3 --width 16 --format csv")
    assert_match ",5,0,3,6,true,6,read,", output
  end
end
