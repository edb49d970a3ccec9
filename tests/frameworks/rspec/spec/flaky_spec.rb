ODD_NAMES = ["a/b", "[a/b]", "it's", '"q"', "$HOME", "*", "é", "(x)", "p|q", "a.b"]

RSpec.describe "Orders" do
  let(:run) { ENV["FLAKESTAT_RUN"].to_i }

  it("flaky") { expect(run % 2).to eq 0 }
  it("flaky steady longer") { expect(1).to eq 1 }
  ODD_NAMES.each do |name|
    it("listed " + name) { expect(1).to eq 1 }
    it("steady " + name) { expect(1).to eq 1 }
  end
end
